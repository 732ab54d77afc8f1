# Objects of two precisions must not become one program: neither one of them with the other's library, nor both with
# both libraries. Takes the compiler CXX, the include folder INCLUDE, the libraries FLOAT and DOUBLE, OPENBLAS and a
# folder WORK.
function(compile object main)
  execute_process(COMMAND ${CXX} -std=c++17 -I${INCLUDE} -DOTHER=${main} ${ARGN} -c ${CMAKE_CURRENT_LIST_DIR}/main.cpp
                          -o ${WORK}/${object} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Links objects and libraries, which must fail with the symbol `missing` in what the linker says, or succeed without one.
function(link missing)
  execute_process(COMMAND ${CXX} ${ARGN} ${OPENBLAS} -pthread -o ${WORK}/program WORKING_DIRECTORY ${WORK}
                  RESULT_VARIABLE result ERROR_VARIABLE said)
  string(FIND "${said}" "${missing}" place)
  if(missing AND (result EQUAL 0 OR place EQUAL -1))
    message(FATAL_ERROR "linking ${ARGN} should fail for want of ${missing}, but: ${result} ${said}")
  elseif(NOT missing AND NOT result EQUAL 0)
    message(FATAL_ERROR "linking ${ARGN}: ${said}")
  endif()
endfunction()

file(MAKE_DIRECTORY ${WORK})
compile(float.o main)
compile(double.o main -DGRADUAL_DOUBLE)
compile(float_part.o part)
link("" float.o ${FLOAT})
link("" double.o ${DOUBLE})
link("float32::a_program_has_one_precision" float.o ${DOUBLE})
link("float64::a_program_has_one_precision" double.o ${FLOAT})
if(FLOAT MATCHES "\\.a$" AND DOUBLE MATCHES "\\.a$")
  link("a_program_has_one_gradual" double.o float_part.o ${FLOAT} ${DOUBLE})
endif()
