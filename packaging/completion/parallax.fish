# Completion for fish: the program says what may stand here.
function __parallax_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] --complete $words[2..-1] 2>/dev/null
end
complete -c parallax -a '(__parallax_complete)'
