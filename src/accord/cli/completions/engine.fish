# Completes @TITLE@ in fish. Made by --completions fish: make it anew when the commands have changed.

# Where the words in $route lead: the names that may come next, or the command's own options.
function @FUNCTION@_place --no-scope-shadowing
    set own
    set below
    set group
    set common @COMMON@
    switch $route
@PLACES@
        case '*'
            set place '?'
            set common
    end
end

# What $option takes.
function @FUNCTION@_value --no-scope-shadowing
    set kind unknown
    set choices
    switch "$place|$option"
@VALUES@
        case '*'
            switch $option
@SHARED@
            end
    end
end

# What the argument at $position is.
function @FUNCTION@_position --no-scope-shadowing
    set kind options
    set choices
    switch "$place|$position"
@POSITIONS@
    end
end

function @FUNCTION@
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l place ''
    set -l group ''
    set -l route ''
    set -l option ''
    set -l kind ''
    set -l position 0
    set -l waiting ''
    set -l ended ''
    set -l own
    set -l below
    set -l common
    set -l choices
    @FUNCTION@_place
    for word in $words[2..-1]
        if test -n "$waiting"
            set waiting ''
        else if test -z "$ended" -a "_$word" = _--
            set ended 1
        else if test -z "$ended"; and string match -qr -- '^-.' $word
            set option $word
            @FUNCTION@_value
            contains -- $kind flag unknown; or set waiting $word
        else if test -n "$group"
            set route (string trim -- "$route "(string replace -a . ' ' -- $word))
            @FUNCTION@_place
        else
            set position (math $position + 1)
        end
    end

    set -l head ''
    if test -n "$waiting"
        set option $waiting
        @FUNCTION@_value
    else if test -z "$ended"; and string match -qr -- '^--[^=]*=' $current
        set option (string replace -r -- '=.*' '' $current)
        @FUNCTION@_value
        set head "$option="
        set current (string replace -r -- '^[^=]*=' '' $current)
    else if test -z "$ended"; and string match -qr -- '^-' $current
        set kind options
    else if test -n "$group"
        if string match -q -- '*.*' $current
            set head (string replace -r -- '[^.]*$' '' $current)
            set route (string trim -- "$route "(string replace -a . ' ' -- $head))
            @FUNCTION@_place
        end
        set kind names
    else
        @FUNCTION@_position
    end
    if test $kind = data; and string match -q -- '@*' $current
        set kind files
        set head $head@
        set current (string sub -s 2 -- $current)
    end

    switch $kind
        case names
            printf '%s\n' $head$below
        case options
            test -n "$ended"; or printf '%s\n' $own $common
        case words
            printf '%s\n' $head$choices
        case files
            # A token as it was typed; with a quote still open, all but that quote.
            set -l path (string unescape -- $current)
            or set path (string sub -s 2 -- $current)
            printf '%s\n' $head(__fish_complete_path $path)
    end
end

complete -c @NAME@ -e
complete -c @NAME@ -f -k -a '(@FUNCTION@)'
