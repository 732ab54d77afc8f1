# `cmake --install` puts the library, its headers and what other projects find it by (find_package and pkg-config) under
# one prefix. The prefix may be moved: nothing in it holds an absolute path.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gradual)

set_target_properties(gradual PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
install(TARGETS gradual EXPORT gradual-targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT gradual-targets NAMESPACE gradual:: DESTINATION ${config_dir})
install(DIRECTORY core autograd nn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gradual FILES_MATCHING PATTERN "*.hpp")

configure_file(cmake/gradual-config.cmake.in gradual-config.cmake @ONLY)
write_basic_package_version_file(gradual-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/FindOpenBLAS.cmake cmake/FindSentencePiece.cmake cmake/FindUtf8proc.cmake
              ${PROJECT_BINARY_DIR}/gradual-config.cmake
              ${PROJECT_BINARY_DIR}/gradual-config-version.cmake
        DESTINATION ${config_dir})

file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(pc_definitions "")
set(pc_sentencepiece "")
if(SentencePiece_FOUND)
  set(pc_sentencepiece sentencepiece)
endif()
if(GRADUAL_DOUBLE)
  set(pc_definitions -DGRADUAL_DOUBLE)
endif()
configure_file(cmake/gradual.pc.in gradual.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gradual.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
