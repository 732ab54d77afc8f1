# What Doxygen reads of a source.

# One number type at a time: readers know gradual::Tensor, not the inline namespace that holds it.
s/^inline namespace GRADUAL_PRECISION {//
s/^}  \/\/ namespace GRADUAL_PRECISION//

# Words in angle brackets are tokens of the vocabulary, not HTML.
/\/\/\//s/\([^`]\)<\(bos\|eos\|pad\|unk\)>/\1\\<\2\\>/g

# A sentence goes on after "et al." and "eq.".
/\/\/\//s/\b\(al\|eqs\?\|e\.g\|i\.e\|cf\)\.\( \|$\)/\1.\\ /g

# An equation that is set in has a line of its own.
s,^\( *///\)   *\( [^ ].*[=←≈].*[^;]\)$,\1 <br/>\2<br/>,

# What all modules have is described once.
s,^  \(virtual \)\?void visit(Visitor& visitor).*[;}]$,& ///< Names each member once: see nn/module.hpp.,
s,^  [A-Za-z:].* \(begin\|end\)() const [{;].*,& ///< For loops over its elements.,
s,^  [A-Za-z]*(const [A-Za-z]*&) = delete;$,& ///< It cannot be copied.,
s,^  [A-Za-z]*& operator=(const [A-Za-z]*&) = delete;$,& ///< It cannot be assigned.,

# What is said of a field stands behind it, for readers of the code; here it is what documents it.
/^\(class\|struct\) .*{$/,/^};/s/^\(  [A-Za-z][^()]*;  *\/\/\) /\1\/< /

# What is said of several fields in one line holds for each.
s,^\(  [A-Za-z][A-Za-z0-9_:<>]* \)\([a-z][a-z0-9_]*\( = [^\,;()]*\)\?\)\, \([a-z*][^()]*;\) *///< \(.*\)$,/** \5 */ \1\2; \1\4 ///< \5,
t split
b
:split
s,^\(.*; \)\(  [A-Za-z][A-Za-z0-9_:<>]* \)\([a-z][a-z0-9_]*\( = [^\,;()]*\)\?\)\, \([a-z*][^()]*;\) ///< \(.*\)$,\1/** \6 */ \2\3; \2\5 ///< \6,
t split
