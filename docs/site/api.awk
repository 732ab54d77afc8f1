# A comment holds for all declarations below it, up to an empty line, a type, or what follows the other name of one. Doxygen
# takes it for the first alone, so it is set before each of the others, in their own line: lines keep their numbers.
{
  line = $0
  code = line
  sub(/[ \t]*\/\/.*$/, "", code)
  if (line == "" || line ~ /^#/) {
    words = ""
  } else if (line ~ /^\/\/\//) {
    if (!in_comment) {
      words = ""
      is_cut = 0
      is_first = 1
    }
    text = substr(line, 4)
    if (text == "") is_cut = 1  # the first paragraph is enough
    if (!is_cut) words = words text
  } else if (line ~ /^[A-Za-z_:]/ && !is_inside) {
    is_type = code ~ /^(struct|class|enum|namespace) /
    if (!is_first && (is_type || is_alias && code !~ /^using /)) words = ""
    if (words != "" && !is_first && line !~ /\/\/\/</) line = "/**" words " */ " line
    is_first = is_alias = 0
    is_inside = 1
  }
  in_comment = line ~ /^\/\/\//
  if (is_inside) {
    if (code ~ /^using /) is_alias = 1
    depth += gsub(/[{(]/, "&", code) - gsub(/[})]/, "&", code)
    if (depth == 0 && code ~ /[;}]$/) {
      is_inside = 0
      if (is_type) words = ""
    }
  }
  if (code ~ /^(inline )?namespace.*[{]$/) {  # what it holds stands at the left as well
    is_inside = depth = 0
    words = ""
  }
  # A class names groups of its members, `// ---- Translate`, up to the next, or to what is private.
  if (has_group && line ~ /^( (private|protected|public):|};)/) {
    line = "/** @} */ " line
    has_group = 0
  } else if (line ~ /^  \/\/ ---- /) {
    line = (has_group ? "/** @} */ " : "") "/** @name " substr(line, 11) " */ /** @{ */"
    has_group = 1
  }
  print line
}
