# SPDX-License-Identifier: GPL-3.0-or-later
# Interface target rig_build: warnings, language level and sanitizers of every target of ours.

add_library(rig_build INTERFACE)
target_compile_definitions(
  rig_build INTERFACE _POSIX_C_SOURCE=200809L
                      $<$<BOOL:${BUILD_SHARED_LIBS}>:RIG_BUILDING_SHARED>)
target_compile_options(
  rig_build
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            -Wstrict-prototypes
            -Wmissing-prototypes
            -Wvla
            -Wcast-qual
            -Wformat=2
            -Wundef
            # clang takes NAN and INFINITY for floats
            $<$<C_COMPILER_ID:GNU>:-Wdouble-promotion>
            $<$<BOOL:${RIG_WERROR}>:-Werror>)
target_include_directories(rig_build INTERFACE "${PROJECT_SOURCE_DIR}/include"
                                               "${PROJECT_BINARY_DIR}/include")

set(RIG_SANITIZE_FLAGS "")
if(RIG_SANITIZE)
  list(JOIN RIG_SANITIZE "," sanitizers)
  set(RIG_SANITIZE_FLAGS -fsanitize=${sanitizers} -fno-sanitize-recover=all
                         -fno-omit-frame-pointer)
endif()
target_compile_options(rig_build INTERFACE ${RIG_SANITIZE_FLAGS})
if(RIG_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  # gcc's flow-based warnings misjudge instrumented code; the plain builds keep them.
  target_compile_options(rig_build INTERFACE -Wno-restrict -Wno-format-truncation
                                             -Wno-format-overflow -Wno-maybe-uninitialized)
endif()
target_link_options(rig_build INTERFACE ${RIG_SANITIZE_FLAGS})
