# Every library from outside, one target each, named gs::<name>.
find_package(PkgConfig REQUIRED)
foreach(pair nettle:nettle jansson:jansson seccomp:libseccomp sqlite:sqlite3 zstd:libzstd)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 name)
    list(GET pair 1 package)
    pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${package})
    add_library(gs::${name} ALIAS PkgConfig::${name})
endforeach()

set(npm ${CMAKE_SOURCE_DIR}/node_modules)
if(NOT EXISTS ${npm}/tree-sitter-python/src/parser.c)
    message(FATAL_ERROR "node_modules is missing: run ./bootstrap (or: npm ci --ignore-scripts)")
endif()

# The C library's own mathematics.
add_library(mathematics INTERFACE)
target_link_libraries(mathematics INTERFACE m)
add_library(gs::m ALIAS mathematics)

# tree-sitter core and the Python grammar: plain C, compiled in.
set(ts ${npm}/tree-sitter/vendor/tree-sitter/lib)
add_library(tree_sitter STATIC ${ts}/src/lib.c
    ${npm}/tree-sitter-python/src/parser.c ${npm}/tree-sitter-python/src/scanner.c)
target_include_directories(tree_sitter SYSTEM PUBLIC ${ts}/include
    PRIVATE ${ts}/src ${npm}/tree-sitter-python/src)
target_compile_options(tree_sitter PRIVATE -w -O2)
set_target_properties(tree_sitter PROPERTIES C_CLANG_TIDY "")
add_library(gs::tree_sitter ALIAS tree_sitter)

# libcurl: only its header at build time; evaluate/ loads the library by name.
pkg_check_modules(libcurl REQUIRED libcurl)
add_library(curl INTERFACE)
target_include_directories(curl SYSTEM INTERFACE ${libcurl_INCLUDE_DIRS})
target_link_libraries(curl INTERFACE ${CMAKE_DL_LIBS})
add_library(gs::curl ALIAS curl)

# DuckDB: only its header at build time; table/ loads the library by name.
add_library(duckdb INTERFACE)
target_include_directories(duckdb SYSTEM INTERFACE ${npm}/duckdb/src/duckdb/src/include)
target_link_libraries(duckdb INTERFACE ${CMAKE_DL_LIBS})
add_library(gs::duckdb ALIAS duckdb)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(GS_DUCKDB_LIBRARY ${npm}/@duckdb/node-bindings-linux-x64/libduckdb.so)
file(CREATE_LINK ${GS_DUCKDB_LIBRARY}
    ${CMAKE_BINARY_DIR}/lib/libduckdb.so SYMBOLIC)

include(spdx)
