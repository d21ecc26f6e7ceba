# Warnings are errors everywhere; floating point stays as written, so that results are the same on
# every machine.
add_compile_options(-Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor
                    -Werror -ffp-contract=off)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

if(MUSTER_SANITIZE)
  add_compile_options(-fsanitize=${MUSTER_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${MUSTER_SANITIZE})
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()

# Coverage for libFuzzer in all of muster; only the fuzz targets get its main().
if(MUSTER_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
