# SPDX-License-Identifier: GPL-3.0-or-later
# Rooms, the library and the program. Each room is an OBJECT target whose include path holds the
# public headers, the room itself and the rooms it uses, so an include against the law fails.

# Writes into <out> the rooms to the left of <room> in the law, in order. cli has none: it sees the
# public headers only.
function(rig_rooms_left_of room out)
  set(left "")
  if(NOT room STREQUAL "cli")
    list(FIND RIG_LAW ${room} index)
    if(index LESS 0)
      message(FATAL_ERROR "unknown room: '${room}' (expected one of ${RIG_LAW} cli)")
    endif()
    list(SUBLIST RIG_LAW 0 ${index} left)
  endif()
  set(${out} ${left} PARENT_SCOPE)
endfunction()

# Makes a directory in the build tree through which only the named rooms can be included.
function(rig_make_include_dir name out)
  set(dir "${PROJECT_BINARY_DIR}/rooms/${name}")
  file(REMOVE_RECURSE "${dir}")
  file(MAKE_DIRECTORY "${dir}")
  foreach(room IN LISTS ARGN)
    file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${room}" "${dir}/${room}" SYMBOLIC)
  endforeach()
  set(${out} "${dir}" PARENT_SCOPE)
endfunction()

# rig_add_room(NAME SOURCES file.c... [USES room...] [LIBRARIES target...] [DEFINITIONS X=1...])
# main.c of room cli goes into the program alone, so that unit tests can link the rest.
function(rig_add_room name)
  cmake_parse_arguments(PARSE_ARGV 1 ROOM "" "" "SOURCES;USES;LIBRARIES;DEFINITIONS")
  if(ROOM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "rig_add_room(${name}): unexpected '${ROOM_UNPARSED_ARGUMENTS}'")
  endif()
  rig_rooms_left_of(${name} left)
  foreach(used IN LISTS ROOM_USES)
    if(NOT used IN_LIST left)
      message(FATAL_ERROR "room ${name} must not use ${used} (only: ${left})")
    endif()
  endforeach()

  if(name STREQUAL "cli" AND "main.c" IN_LIST ROOM_SOURCES)
    list(REMOVE_ITEM ROOM_SOURCES main.c)
    set_property(GLOBAL PROPERTY RIG_MAIN_SOURCE "${CMAKE_CURRENT_SOURCE_DIR}/main.c")
  endif()

  rig_make_include_dir(${name} include_dir ${ROOM_USES} ${name})
  add_library(rig_${name} OBJECT ${ROOM_SOURCES})
  target_include_directories(rig_${name} PRIVATE "${include_dir}")
  target_compile_definitions(rig_${name} PRIVATE ${ROOM_DEFINITIONS})
  target_link_libraries(rig_${name} PRIVATE rig_build ${ROOM_LIBRARIES})
  set_property(GLOBAL PROPERTY RIG_LIBRARIES_${name} ${ROOM_LIBRARIES})
endfunction()

# Adds the objects and libraries of rooms to a target.
function(rig_target_rooms target)
  foreach(room IN LISTS ARGN)
    get_property(libraries GLOBAL PROPERTY RIG_LIBRARIES_${room})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:rig_${room}>)
    target_link_libraries(${target} PRIVATE ${libraries})
  endforeach()
  target_link_libraries(${target} PRIVATE m)
endfunction()

# The library: the objects of every room of the law.
function(rig_add_library)
  add_library(trainrig)
  add_library(trainrig::trainrig ALIAS trainrig)
  rig_target_rooms(trainrig ${RIG_LAW})
  target_include_directories(
    trainrig PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_options(trainrig PRIVATE ${RIG_SANITIZE_FLAGS})
  set_target_properties(
    trainrig PROPERTIES VERSION ${PROJECT_VERSION} LINKER_LANGUAGE C
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()

# The program, with the places of its data: RIG_DATA_DIR_BUILD "/catalog/data" and "/model/data"
# in the source tree, RIG_DATA_DIR_INSTALL "/catalog" and "/model" once installed.
function(rig_add_program)
  get_property(main GLOBAL PROPERTY RIG_MAIN_SOURCE)
  add_executable(trainrig_cli ${main})
  set(data_dirs RIG_DATA_DIR_BUILD="${PROJECT_SOURCE_DIR}"
                RIG_DATA_DIR_INSTALL="${CMAKE_INSTALL_FULL_DATADIR}/trainrig")
  target_compile_definitions(rig_cli PRIVATE ${data_dirs})
  target_compile_definitions(trainrig_cli PRIVATE ${data_dirs})
  target_include_directories(trainrig_cli PRIVATE "${PROJECT_BINARY_DIR}/rooms/cli")
  rig_target_rooms(trainrig_cli cli)
  target_link_libraries(trainrig_cli PRIVATE rig_build trainrig::trainrig)
  set_target_properties(trainrig_cli PROPERTIES OUTPUT_NAME trainrig RUNTIME_OUTPUT_DIRECTORY
                                                                     "${PROJECT_BINARY_DIR}")
  if(BUILD_SHARED_LIBS)
    set_target_properties(trainrig_cli PROPERTIES INSTALL_RPATH
                                                  "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  endif()
endfunction()
