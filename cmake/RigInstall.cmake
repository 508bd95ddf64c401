# SPDX-License-Identifier: GPL-3.0-or-later
# Installation: library, headers, program, data, CMake package and pkg-config file.

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/trainrig")

install(TARGETS trainrig EXPORT trainrig-targets)
install(TARGETS trainrig_cli)
install(DIRECTORY include/trainrig "${PROJECT_BINARY_DIR}/include/trainrig"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
foreach(room catalog model)
  install(DIRECTORY ${room}/data/ DESTINATION "${CMAKE_INSTALL_DATADIR}/trainrig/${room}")
endforeach()

install(DIRECTORY model/measurements/ DESTINATION
        "${CMAKE_INSTALL_DATADIR}/trainrig/measurements")

install(EXPORT trainrig-targets NAMESPACE trainrig:: DESTINATION "${package_dir}")
configure_package_config_file(cmake/trainrig-config.cmake.in trainrig-config.cmake
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(trainrig-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/trainrig-config.cmake"
              "${PROJECT_BINARY_DIR}/trainrig-config-version.cmake" cmake/FindGLPK.cmake
              cmake/FindLibCSV.cmake DESTINATION "${package_dir}")

set(RIG_PC_LIBS "-lcsv -lm")
if(RIG_WITH_GLPK)
  string(PREPEND RIG_PC_LIBS "-lglpk ")
endif()
file(RELATIVE_PATH RIG_PC_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig"
     "${CMAKE_INSTALL_PREFIX}")
configure_file(cmake/trainrig.pc.in trainrig.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/trainrig.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
