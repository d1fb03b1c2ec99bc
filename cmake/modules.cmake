# gs_module(name deps libraries): every .c and every embedded file in
# src/<name>/ is the module; it sees its own headers and those of `deps`
# through a folder of links, and nothing else.
function(gs_module name deps libraries)
    set(see ${CMAKE_BINARY_DIR}/include/${name})
    file(MAKE_DIRECTORY ${see})
    foreach(module IN ITEMS ${name} ${deps})
        file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/${module} ${see}/${module} SYMBOLIC)
    endforeach()

    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.c)
    file(GLOB texts CONFIGURE_DEPENDS
        ${CMAKE_SOURCE_DIR}/src/${name}/*.sql
        ${CMAKE_SOURCE_DIR}/src/${name}/*.py
        ${CMAKE_SOURCE_DIR}/src/${name}/*.tmpl
        ${CMAKE_SOURCE_DIR}/src/${name}/assets/*)
    if(NOT sources) # headers only, so far
        add_library(gs_${name} INTERFACE)
        return()
    endif()
    add_library(gs_${name} STATIC ${sources})
    gs_embed(gs_${name} ${texts})
    target_include_directories(gs_${name} PRIVATE ${see})
    target_compile_options(gs_${name} PRIVATE ${GS_WARNINGS})
    target_compile_definitions(gs_${name} PRIVATE
        GS_VERSION="${PROJECT_VERSION}" $<$<BOOL:${GS_FAULTS}>:GS_FAULTS>)
    list(TRANSFORM deps PREPEND gs_)
    list(TRANSFORM libraries PREPEND gs::)
    target_link_libraries(gs_${name} PUBLIC ${deps} PRIVATE ${libraries})
endfunction()

# gs_embed(target files...): each text becomes `const char gs_text_<stem>[]`,
# NUL-terminated, with its size in `gs_text_<stem>_size` (stem: dots and
# dashes become underscores, as in observer_py, schema_sql).
function(gs_embed target)
    foreach(path IN LISTS ARGN)
        get_filename_component(stem ${path} NAME)
        string(REGEX REPLACE "[^A-Za-z0-9]" "_" stem ${stem})
        set(out ${CMAKE_BINARY_DIR}/embed/${target}_${stem}.S)
        file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [=[
.section .rodata
.global gs_text_@stem@
.global gs_text_@stem@_size
.balign 8
gs_text_@stem@_size: .quad 1f - gs_text_@stem@
gs_text_@stem@: .incbin "@path@"
1: .byte 0
.section .note.GNU-stack,"",%progbits
]=])
        set_source_files_properties(${out} PROPERTIES LANGUAGE ASM
            OBJECT_DEPENDS ${path})
        target_sources(${target} PRIVATE ${out})
    endforeach()
endfunction()

function(gs_program name module)
    file(GLOB main ${CMAKE_SOURCE_DIR}/src/main.c)
    add_executable(${name} ${main})
    target_include_directories(${name} PRIVATE ${CMAKE_BINARY_DIR}/include/${module})
    target_compile_options(${name} PRIVATE ${GS_WARNINGS})
    target_link_libraries(${name} PRIVATE gs_${module})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()
