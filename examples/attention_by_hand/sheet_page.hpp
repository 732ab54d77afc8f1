// A sheet as a page, on which every number opens and shows its sum.
#pragma once

#include <string>

#include "sheet.hpp"

std::string sheet_page(const std::string& title, const std::string& subtitle, const Sheet& sheet);
