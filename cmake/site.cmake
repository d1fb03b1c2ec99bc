# Scripts of others that the website carries (src/site/assets.c), made into
# plain scripts here: a module cannot be loaded from file://, and a bundler
# would be one more thing to trust.
set(out ${CMAKE_BINARY_DIR}/embed/site)
file(MAKE_DIRECTORY ${out})

# Ready-made as plain scripts.
file(READ ${npm}/minisearch/dist/umd/index.js text)
string(REGEX REPLACE "\n//# sourceMappingURL=[^\n]*" "" text "${text}")
file(WRITE ${out}/minisearch.js "${text}")
file(COPY_FILE ${npm}/fzstd/umd/index.js ${out}/fzstd.js)

# hyparquet: its modules one after the other in one function, what they import
# first. No two of them have a name of their own in common but `decoder`,
# which is the same in each.
set(modules constants xxhash thrift schema wkb convert geoparquet snappy alp
    encoding delta plain bloom utils filter metadata variant assemble datapage
    column indexes plan rowgroup scan read query)
set(bundle "/* hyparquet, MIT: see LICENCES.txt */\n(() => {\n\"use strict\";\n")
foreach(module IN LISTS modules)
    file(READ ${npm}/hyparquet/src/${module}.js text)
    string(REGEX REPLACE "import {[^}]*} from '[^']*'\n" "" text "${text}")
    string(REGEX REPLACE "\nexport (async |function|const|class)" "\n\\1" text "\n${text}")
    string(REPLACE "\nconst decoder =" "\nvar decoder =" text "${text}")
    string(APPEND bundle "${text}")
endforeach()
string(APPEND bundle "globalThis.hyparquet = {asyncBufferFromUrl, "
    "parquetMetadataAsync, parquetReadObjects, parquetSchema};\n})();\n")
file(WRITE ${out}/hyparquet.js "${bundle}")

set(text "The website carries these scripts of others.\n")
foreach(pair minisearch/LICENSE.txt hyparquet/LICENSE fzstd/LICENSE)
    get_filename_component(name ${pair} DIRECTORY)
    file(READ ${npm}/${pair} licence)
    string(APPEND text "\n${name}\n\n${licence}")
endforeach()
file(WRITE ${out}/third_parties.txt "${text}")

gs_embed(gs_site ${out}/minisearch.js ${out}/fzstd.js ${out}/hyparquet.js
    ${out}/third_parties.txt)
