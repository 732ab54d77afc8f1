# `cmake --install` puts the library, its headers and what other projects find it by (find_package and pkg-config) under
# one prefix. The prefix may be moved: nothing in it holds an absolute path.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gradual)

set_target_properties(gradual PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
install(TARGETS gradual EXPORT gradual-targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(GRADUAL_PROGRAMS)
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH library_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(translate PROPERTIES INSTALL_RPATH "$ORIGIN/${library_from_program}")
  endif()
  install(TARGETS translate)
  if(NOT CMAKE_CROSSCOMPILING)  # the manual is what the program says of itself
    set(manual ${PROJECT_BINARY_DIR}/translate.1)
    add_custom_command(OUTPUT ${manual} VERBATIM DEPENDS translate ${CMAKE_CURRENT_LIST_DIR}/manual_page.cmake
                       COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:translate> -DVERSION=${PROJECT_VERSION} -DPAGE=${manual}
                               -P ${CMAKE_CURRENT_LIST_DIR}/manual_page.cmake)
    add_custom_target(manual ALL DEPENDS ${manual})
    install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endif()
endif()
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT gradual-targets NAMESPACE gradual:: DESTINATION ${config_dir})
install(DIRECTORY core autograd nn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gradual
        FILES_MATCHING PATTERN "*.hpp" PATTERN "core/reference" EXCLUDE
        REGEX "/(json|members_json|tokens_by_id)\\.hpp$" EXCLUDE)  # for the sources: who uses the library needs no nlohmann/json

configure_file(cmake/gradual-config.cmake.in gradual-config.cmake @ONLY)
write_basic_package_version_file(gradual-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/FindOpenBLAS.cmake cmake/FindSentencePiece.cmake cmake/FindUtf8proc.cmake
              ${PROJECT_BINARY_DIR}/gradual-config.cmake
              ${PROJECT_BINARY_DIR}/gradual-config-version.cmake
        DESTINATION ${config_dir})

file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(pc_definitions "")
# By their names, not by their own .pc files: of these some name packages that are not there, or a Fortran that nobody uses.
set(pc_libraries "-lopenblas -lutf8proc")
if(SentencePiece_FOUND)
  string(PREPEND pc_libraries "-lsentencepiece_train -lsentencepiece ")
endif()
if(GRADUAL_MPI)
  list(TRANSFORM MPI_CXX_LIB_NAMES PREPEND "-l" OUTPUT_VARIABLE mpi_libraries)
  list(JOIN mpi_libraries " " mpi_libraries)
  string(PREPEND pc_libraries "${mpi_libraries} ")
endif()
if(GRADUAL_DOUBLE)
  set(pc_definitions -DGRADUAL_DOUBLE)
endif()
configure_file(cmake/gradual.pc.in gradual.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gradual.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
