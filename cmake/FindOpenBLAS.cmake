# OpenBLAS as the target OpenBLAS::OpenBLAS. Some systems describe it by a CMake file, some by pkg-config, some by neither,
# and Debian keeps each of its flavours in a folder of its own; so it is looked for by its files.
set(flavours openblas-pthread openblas-openmp openblas-serial openblas)
find_path(OpenBLAS_INCLUDE_DIR openblas_config.h PATH_SUFFIXES ${flavours})
find_library(OpenBLAS_LIBRARY openblas)
mark_as_advanced(OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS REQUIRED_VARS OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR)

if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES
    IMPORTED_LOCATION "${OpenBLAS_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${OpenBLAS_INCLUDE_DIR}")
endif()
