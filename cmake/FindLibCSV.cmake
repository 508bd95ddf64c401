# SPDX-License-Identifier: GPL-3.0-or-later
# Finds LibCSV and defines the imported target LibCSV::LibCSV.

find_path(LibCSV_INCLUDE_DIR NAMES csv.h)
find_library(LibCSV_LIBRARY NAMES csv)
if(EXISTS "${LibCSV_INCLUDE_DIR}/csv.h")
  file(STRINGS "${LibCSV_INCLUDE_DIR}/csv.h" lines REGEX "^#define CSV_(MAJOR|MINOR|RELEASE)")
  string(REGEX REPLACE ".*MAJOR +([0-9]+).*MINOR +([0-9]+).*RELEASE +([0-9]+).*" "\\1.\\2.\\3"
                       LibCSV_VERSION "${lines}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  LibCSV
  REQUIRED_VARS LibCSV_LIBRARY LibCSV_INCLUDE_DIR
  VERSION_VAR LibCSV_VERSION)
mark_as_advanced(LibCSV_INCLUDE_DIR LibCSV_LIBRARY)

if(LibCSV_FOUND AND NOT TARGET LibCSV::LibCSV)
  add_library(LibCSV::LibCSV UNKNOWN IMPORTED)
  set_target_properties(LibCSV::LibCSV PROPERTIES IMPORTED_LOCATION "${LibCSV_LIBRARY}"
                                      INTERFACE_INCLUDE_DIRECTORIES "${LibCSV_INCLUDE_DIR}")
endif()
