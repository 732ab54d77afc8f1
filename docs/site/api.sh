#!/bin/sh
# What Doxygen reads of a source: `api.sh FILE`, in the project's folder.
sed -f docs/site/api.sed "$1" | awk -f docs/site/api.awk
