# Completion for bash: the program says what may stand here.
_parallax() {
    local line=${COMP_LINE:0:COMP_POINT} words word about last broken
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=('')
    last=${words[-1]}
    # What bash takes for a word begins behind the last '=' or ':'.
    broken=${last%"${last##*[=:]}"}
    COMPREPLY=()
    compopt -o default
    while IFS=$'\t' read -r word about; do
        [[ $word == */ || $word == *= ]] && compopt -o nospace
        COMPREPLY+=("${word#"$broken"}")
    done < <("${words[0]/#\~\//$HOME/}" --complete "${words[@]:1}" 2>/dev/null)
}
complete -F _parallax parallax
