# 64-bit ARM on Linux, by Debian's cross compiler. Libraries come from build/platforms/aarch64/root, and what runs is one
# file without shared libraries, which qemu-aarch64-static needs nothing else for.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(arm ${CMAKE_CURRENT_LIST_DIR}/../../build/platforms/aarch64/root/usr)
set(OpenBLAS_LIBRARY ${arm}/lib/aarch64-linux-gnu/openblas-pthread/libopenblas.a CACHE FILEPATH "")
set(OpenBLAS_INCLUDE_DIR ${arm}/include/aarch64-linux-gnu/openblas-pthread CACHE PATH "")
set(Utf8proc_LIBRARY ${arm}/lib/aarch64-linux-gnu/libutf8proc.a CACHE FILEPATH "")
set(Utf8proc_INCLUDE_DIR ${arm}/include CACHE PATH "")
file(GLOB header_packages /usr/lib/*-linux-gnu/cmake)  # libraries of headers alone serve every processor
list(APPEND CMAKE_PREFIX_PATH ${header_packages})
