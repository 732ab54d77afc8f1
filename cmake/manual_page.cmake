# Writes the manual page PAGE of PROGRAM, version VERSION, from what it answers to --help, for itself and each command.
function(ask result)
  execute_process(COMMAND ${PROGRAM} ${ARGN} --help OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\\" "\\e" text "${text}")
  string(REPLACE "-" "\\-" text "${text}")
  string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
  string(STRIP "${text}" text)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

get_filename_component(name ${PROGRAM} NAME_WE)
string(TOUPPER ${name} title)
ask(general)
string(REGEX MATCH "^[^.\n]*" summary "${general}")
set(page ".TH ${title} 1 \"\" \"Gradual ${VERSION}\" \"User Commands\"
.SH NAME
${name} \\- ${summary}
.SH SYNOPSIS
.B ${name}
.I COMMAND
[\\fIOPTIONS\\fR]
.SH DESCRIPTION
.nf
${general}
.fi
.SH COMMANDS
")
string(REGEX MATCHALL "\n  [a-z]+  " commands "${general}")  # what each does stands beside it, farther in
foreach(command ${commands})
  string(STRIP "${command}" command)
  ask(text ${command})
  string(APPEND page ".SS ${name} ${command}\n.nf\n${text}\n.fi\n")
endforeach()
file(WRITE ${PAGE} "${page}")
