# What the library needs: xtensor (headers), OpenBLAS, nlohmann/json (headers), threads.
find_package(Threads REQUIRED)
find_package(xtensor REQUIRED)
find_package(nlohmann_json REQUIRED)

# OpenBLAS comes with a CMake file on some systems and with pkg-config on others.
find_package(PkgConfig QUIET)
if(NOT TARGET gradual_openblas)
  add_library(gradual_openblas INTERFACE)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(OPENBLAS QUIET IMPORTED_TARGET openblas)
  endif()
  if(OPENBLAS_FOUND)
    target_link_libraries(gradual_openblas INTERFACE PkgConfig::OPENBLAS)
  else()
    find_package(OpenBLAS CONFIG REQUIRED)
    target_link_libraries(gradual_openblas INTERFACE OpenBLAS::OpenBLAS)
  endif()
endif()
