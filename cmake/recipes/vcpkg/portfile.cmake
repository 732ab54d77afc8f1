# The library alone: its programs belong to a system's own packages. A release: vcpkg_from_git or vcpkg_from_github.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DGRADUAL_NATIVE=OFF
        -DGRADUAL_TESTS=OFF
        -DGRADUAL_PROGRAMS=OFF
        -DGRADUAL_SENTENCEPIECE=OFF
        -DCMAKE_UNITY_BUILD=ON
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME gradual CONFIG_PATH lib/cmake/gradual)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
