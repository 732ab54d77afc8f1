# Copies HEADERS (paths in the folder FROM) to the folder TO, with each `#include <gradual/…>` made relative. Those of
# notebooks/ go to TO itself.
foreach(header ${HEADERS})
  file(READ ${FROM}/${header} text)
  string(REGEX REPLACE "^notebooks/" "" copy ${header})
  string(REGEX REPLACE "[^/]+$" "" up ${copy})
  string(REGEX REPLACE "[^/]+/" "../" up "${up}")
  string(REGEX REPLACE "#include <gradual/([^>]+)>" "#include \"${up}\\1\"" text "${text}")
  file(WRITE ${TO}/${copy} "${text}")
endforeach()
file(TOUCH ${TO}/written)
