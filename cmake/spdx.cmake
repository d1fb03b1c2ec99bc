# The SPDX texts become one table at build time (src/licence/spdx.h), made by
# a small program of our own and embedded where gs_spdx_table stands.
set(spdx_json ${CMAKE_SOURCE_DIR}/node_modules/spdx-license-list/spdx-full.json)
set(spdx_table ${CMAKE_BINARY_DIR}/embed/spdx.table)
set(spdx_source ${CMAKE_BINARY_DIR}/embed/spdx.S)
set(licence ${CMAKE_SOURCE_DIR}/src/licence)

add_executable(gen_spdx ${licence}/gen/gen_spdx.c ${licence}/decode.c
    ${licence}/words.c ${licence}/normalise.c ${licence}/phrases.c
    ${licence}/bigrams.c)
target_include_directories(gen_spdx PRIVATE ${CMAKE_BINARY_DIR}/include/licence)
target_compile_options(gen_spdx PRIVATE ${GS_WARNINGS} -O2)
target_link_libraries(gen_spdx PRIVATE gs_base gs::jansson gs::nettle)

add_custom_command(OUTPUT ${spdx_table}
    COMMAND gen_spdx ${spdx_json} ${spdx_table}
    DEPENDS gen_spdx ${spdx_json} VERBATIM
    COMMENT "Reading the SPDX licence texts")
file(CONFIGURE OUTPUT ${spdx_source} @ONLY CONTENT [=[
.section .rodata
.global gs_spdx_table
.balign 8
gs_spdx_table: .incbin "@spdx_table@"
.section .note.GNU-stack,"",%progbits
]=])
set_source_files_properties(${spdx_source} PROPERTIES LANGUAGE ASM
    OBJECT_DEPENDS ${spdx_table})
add_library(spdx STATIC ${spdx_source})
add_library(gs::spdx ALIAS spdx)
