// A cell of C++ as its tokens and its top-level statements: as much of the language as the rules in lint.cpp
// need.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

using Tokens = std::vector<std::string>;

struct Code {
  Tokens tokens;                        // without comments; each text or character in quotes is one
  std::vector<std::string> directives;  // #include … and the like
};

inline bool is_word(const std::string& token) {
  return !token.empty() && (std::isalpha(static_cast<unsigned char>(token[0])) || token[0] == '_');
}

// Where the piece of `code` ends that begins at `at`: a space, a comment, a directive, a word, a text, a
// sign.
inline std::size_t end_of_piece(const std::string& code, std::size_t at) {
  const auto part_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  const auto up_to = [&](const char* end, std::size_t from) {
    const std::size_t found = code.find(end, from);
    return found == std::string::npos ? code.size() : found;
  };
  const std::string two = code.substr(at, 2);
  if (two == "//" || code[at] == '#') return up_to("\n", at);
  if (two == "/*") return std::min(code.size(), up_to("*/", at + 2) + 2);
  if (two == "R\"") return std::min(code.size(), up_to(")\"", at) + 2);
  if (code[at] == '"' || code[at] == '\'') {
    std::size_t end = at + 1;
    while (end < code.size() && code[end] != code[at]) end += code[end] == '\\' ? 2 : 1;
    return std::min(code.size(), end + 1);
  }
  if (part_of_word(code[at])) {
    const bool number = std::isdigit(static_cast<unsigned char>(code[at]));
    std::size_t end = at;  // 1'000 and 1.5 are one number
    while (end < code.size() &&
           (part_of_word(code[end]) || (number && (code[end] == '.' || code[end] == '\''))))
      ++end;
    return end;
  }
  for (const char* sign : {"::", "->", "<<", "==", "<=", ">=", "!=", "+=", "-=", "*=", "/="})
    if (two == sign) return at + 2;
  return at + 1;
}

inline Code read_code(const std::string& text) {
  Code code;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
    end = end_of_piece(text, at);
    const std::string piece = text.substr(at, end - at);
    if (piece[0] == '#')
      code.directives.push_back(piece);
    else if (!std::isspace(static_cast<unsigned char>(piece[0])) && piece.substr(0, 2) != "//" &&
             piece.substr(0, 2) != "/*")
      code.tokens.push_back(piece);
  }
  return code;
}

inline int depth_change(const std::string& token) {
  if (token == "(" || token == "[" || token == "{") return 1;
  return token == ")" || token == "]" || token == "}" ? -1 : 0;
}

// The index after the bracket that closes the one at `open`.
inline std::size_t after_bracket(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i)
    if ((depth += depth_change(tokens[i])) == 0) return i + 1;
  return tokens.size();
}

// The index after the `>` that closes the `<` at `open`.
inline std::size_t after_angle(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i)
    if ((depth += tokens[i] == "<" ? 1 : tokens[i] == ">" ? -1 : 0) == 0) return i + 1;
  return tokens.size();
}

inline bool is_one_of(const std::string& token, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (token == word) return true;
  return false;
}

struct Statement {
  enum Kind { function, type, control, declaration, expression, other } kind;
  Tokens tokens;
  std::string name;            // of a function, a type or a variable
  std::size_t name_index = 0;  // where it stands, for a declaration
};

// The index of the name that `tokens` declare as a variable, if they are a declaration; else 0.
inline std::size_t declared_name(const Tokens& tokens) {
  const auto token = [&](std::size_t i) { return i < tokens.size() ? tokens[i] : std::string(); };
  std::size_t i = 0;
  while (is_one_of(token(i), {"const", "constexpr", "inline", "static", "thread_local"})) ++i;
  while (is_one_of(token(i), {"unsigned", "signed", "long"}) && is_word(token(i + 1)) &&
         is_word(token(i + 2)))
    ++i;
  if (!is_word(token(i)) || is_one_of(token(i), {"return", "throw", "delete", "new", "using"})) return 0;
  ++i;
  if (token(i) == "<") i = after_angle(tokens, i);
  while (token(i) == "::") {
    i += 2;
    if (token(i) == "<") i = after_angle(tokens, i);
  }
  while (is_one_of(token(i), {"&", "*", "const"})) ++i;
  return is_word(token(i)) && is_one_of(token(i + 1), {"=", "(", "{", "[", ";", ","}) ? i : 0;
}

inline Statement classified(const Tokens& tokens, bool has_body) {
  Statement statement{Statement::expression, tokens, "", 0};
  std::size_t first = 0;
  if (tokens[0] == "template" && tokens.size() > 1) first = after_angle(tokens, 1);
  const std::string start = first < tokens.size() ? tokens[first] : "";
  if (is_one_of(start, {"using", "typedef", "namespace"})) {
    statement.kind = Statement::other;
  } else if (is_one_of(start, {"for", "while", "if", "switch", "do", "try", "{"})) {
    statement.kind = Statement::control;
  } else if (is_one_of(start, {"struct", "class", "enum", "union"})) {
    statement.kind = Statement::type;
    for (std::size_t i = first + 1; i < tokens.size() && statement.name.empty(); ++i)
      if (tokens[i] != "class" && tokens[i] != "struct") statement.name = tokens[i];
  } else if (has_body) {
    statement.kind = Statement::function;
    for (std::size_t i = first; i + 1 < tokens.size() && statement.name.empty(); ++i)
      if (tokens[i + 1] == "(") statement.name = tokens[i];
  } else if (const std::size_t name = declared_name(tokens)) {
    statement.kind = Statement::declaration;
    statement.name = tokens[name];
    statement.name_index = name;
  }
  return statement;
}

// Whether the `{` after these tokens begins a body and not a list of values.
inline bool opens_body(const Tokens& before, bool after_equals) {
  if (before.empty()) return true;
  if (is_one_of(before.back(), {"else", "try", "do", "noexcept", "override"})) return true;
  for (const std::string& token : before)
    if (is_one_of(token, {"struct", "class", "enum", "union", "namespace"}) && before[0] != "template")
      return true;
  if (before[0] == "template") return true;
  return !after_equals && (before.back() == ")" || before.back() == "const");
}

inline std::vector<Statement> statements_of(const Tokens& tokens) {
  std::vector<Statement> statements;
  Tokens now;
  int depth = 0;
  bool body = false, after_equals = false;
  const auto finish = [&] {
    if (!now.empty()) statements.push_back(classified(now, body));
    now.clear();
    body = after_equals = false;
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string& token = tokens[i];
    if (depth == 0 && token == "{" && opens_body(now, after_equals)) body = true;
    if (depth == 0 && token == "=" && (now.empty() || now.back() != "operator")) after_equals = true;
    now.push_back(token);
    depth += depth_change(token);
    if (depth != 0) continue;
    const std::string next = i + 1 < tokens.size() ? tokens[i + 1] : "";
    const bool goes_on = is_one_of(next, {"else", "catch", ";"}) || now[0] == "do";
    if (token == ";" ? next != "else" : token == "}" && body && !goes_on) finish();
  }
  finish();
  return statements;
}
