# Warnings are errors everywhere; floating point stays as written, so that results are the same on
# every machine.
add_compile_options(-Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor
                    -Werror -ffp-contract=off)

# g++ 12 sees overlapping copies where strings are joined at -O2 and above (GCC bug 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)
endif()

# clang 19 marks what libstdc++ 12 uses inside std::stable_sort as deprecated.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options(-Wno-deprecated-declarations)
endif()

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
