# SPDX-License-Identifier: GPL-3.0-or-later
# Functions that register tests.

find_package(CMocka REQUIRED)
set(RIG_TESTS_DIR "${PROJECT_SOURCE_DIR}/tests")

# Include directory of tests of a room: the room and all rooms to its left.
function(rig_test_target target room)
  rig_rooms_left_of(${room} left)
  set(include_dir "${PROJECT_BINARY_DIR}/rooms/test-${room}")
  get_property(is_made GLOBAL PROPERTY RIG_TEST_INCLUDE_${room})
  if(NOT is_made)
    rig_make_include_dir(test-${room} include_dir ${left} ${room})
    set_property(GLOBAL PROPERTY RIG_TEST_INCLUDE_${room} ON)
  endif()
  target_include_directories(${target} PRIVATE "${include_dir}" "${RIG_TESTS_DIR}")
  target_compile_definitions(${target} PRIVATE RIG_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                               RIG_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_link_libraries(${target} PRIVATE rig_build)
  rig_target_rooms(${target} ${left} ${room})
  if(room STREQUAL "cli")
    target_link_libraries(${target} PRIVATE trainrig::trainrig)
  endif()
endfunction()

# rig_add_cmocka_test(ROOM test_FILE [SOURCES more.c...] [LIBRARIES target...] [LABELS label...]
#                     [WRAP symbol...] [TIMEOUT seconds])
# Builds test_FILE.c with cmocka, the objects of ROOM and of all rooms to its left; label unit
# unless told otherwise. WRAP redirects symbols to __wrap_<symbol> (ld --wrap).
function(rig_add_cmocka_test room name)
  cmake_parse_arguments(PARSE_ARGV 2 TEST "" "TIMEOUT" "SOURCES;LIBRARIES;LABELS;WRAP")
  if(TEST_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "rig_add_cmocka_test(${name}): unexpected '${TEST_UNPARSED_ARGUMENTS}'")
  endif()
  set(target ${room}.${name})
  add_executable(${target} ${name}.c ${TEST_SOURCES})
  rig_test_target(${target} ${room})
  target_link_libraries(${target} PRIVATE CMocka::CMocka ${TEST_LIBRARIES})
  foreach(symbol IN LISTS TEST_WRAP)
    target_link_options(${target} PRIVATE -Wl,--wrap=${symbol})
  endforeach()
  add_test(NAME ${target} COMMAND ${target})
  if(NOT TEST_LABELS)
    set(TEST_LABELS unit)
  endif()
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 120)
  endif()
  set_tests_properties(${target} PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT ${TEST_TIMEOUT})
endfunction()

# rig_add_script_test(NAME script.sh [ARGS arg...] [LABELS label...] [TIMEOUT seconds])
# Runs a script (by its #! line) with TRAINRIG (path of the program), RIG_SOURCE_DIR and
# RIG_BINARY_DIR in the environment.
function(rig_add_script_test name script)
  cmake_parse_arguments(PARSE_ARGV 2 TEST "" "TIMEOUT" "ARGS;LABELS")
  get_filename_component(path "${script}" ABSOLUTE)
  add_test(NAME ${name} COMMAND "${path}" ${TEST_ARGS})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 120)
  endif()
  set_tests_properties(
    ${name}
    PROPERTIES
      LABELS "${TEST_LABELS}" TIMEOUT ${TEST_TIMEOUT}
      ENVIRONMENT
      "TRAINRIG=${PROJECT_BINARY_DIR}/trainrig;RIG_SOURCE_DIR=${PROJECT_SOURCE_DIR};RIG_BINARY_DIR=${PROJECT_BINARY_DIR};LC_ALL=C"
  )
endfunction()

# rig_add_fuzzer(NAME source.c corpus_dir [ROOM room])
# With RIG_BUILD_FUZZERS and clang a libFuzzer program; otherwise a program that replays the
# corpus. Either way a test runs the corpus once.
function(rig_add_fuzzer name source corpus_dir)
  cmake_parse_arguments(PARSE_ARGV 3 FUZZ "" "ROOM" "")
  if(NOT FUZZ_ROOM)
    set(FUZZ_ROOM report)
  endif()
  get_filename_component(corpus "${corpus_dir}" ABSOLUTE)
  add_executable(${name} ${source})
  rig_test_target(${name} ${FUZZ_ROOM})
  if(RIG_BUILD_FUZZERS)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    add_test(NAME fuzz.${name} COMMAND ${name} -runs=0 "${corpus}")
  else()
    target_sources(${name} PRIVATE "${RIG_TESTS_DIR}/fuzz/standalone_main.c")
    add_test(NAME fuzz.${name} COMMAND ${name} "${corpus}")
  endif()
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT 120)
endfunction()
