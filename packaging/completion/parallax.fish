# Completion for fish: the program says what may stand here.
function __parallax_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    $program --complete $words[2..-1] 2>/dev/null
end
complete -c parallax -a '(__parallax_complete)'
