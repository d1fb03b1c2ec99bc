set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_compile_definitions(_GNU_SOURCE)
enable_language(ASM)
# Assertions stay: a broken invariant must never become a record.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g")

set(GS_WARNINGS
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
    -Wwrite-strings -Wpointer-arith -Wcast-qual -Wformat=2 -Wundef -Wvla
    -Wswitch-enum -Wimplicit-fallthrough -Wnull-dereference
    -Wredundant-decls -fno-common)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    list(APPEND GS_WARNINGS -Wduplicated-cond -Wduplicated-branches
        -Wlogical-op -Wjump-misses-init)
endif()
if(GS_WERROR)
    list(APPEND GS_WARNINGS -Werror)
endif()

if(GS_SANITIZE)
    add_compile_options(-fsanitize=address,undefined
        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
elseif(CMAKE_BUILD_TYPE STREQUAL "Release" OR CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    add_compile_options(-D_FORTIFY_SOURCE=2 -fstack-protector-strong
        -fstack-clash-protection -fcf-protection)
    add_link_options(-Wl,-z,relro,-z,now)
endif()
if(GS_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
