@TAG@# Completes @TITLE@ in zsh. Made by --completions zsh: make it anew when the commands have changed.

# Where the words so far lead: the names that may come next, or the command's own options.
@FUNCTION@_place() {
  own=() below=() group= common=(@COMMON@)
  case $1 in
@PLACES@
  (*) place='?' common=() ;;
  esac
}

# What an option takes.
@FUNCTION@_value() {
  kind=unknown choices=()
  case "$1|$2" in
@VALUES@
  (*)
    case $2 in
@SHARED@
    esac ;;
  esac
}

# What the argument at a position is.
@FUNCTION@_position() {
  kind=options choices=()
  case "$1|$2" in
@POSITIONS@
  esac
}

@FUNCTION@() {
  local place= group= kind= route= waiting= ended= word
  local -a own below common choices
  local -i i position=0
  @FUNCTION@_place ''
  for ((i = 2; i < CURRENT; i++)); do
    word=${(Q)words[i]}
    if [[ -n $waiting ]]; then
      waiting=
    elif [[ -z $ended && $word == -- ]]; then
      ended=1
    elif [[ -z $ended && $word == -?* ]]; then
      @FUNCTION@_value "$place" "$word"
      [[ $kind == flag || $kind == unknown ]] || waiting=$word
    elif [[ -n $group ]]; then
      route="$route ${word//./ }"
      @FUNCTION@_place "${route# }"
    else
      ((position += 1))
    fi
  done

  if [[ -n $waiting ]]; then
    @FUNCTION@_value "$place" "$waiting"
  elif [[ -z $ended && $PREFIX == --*=* ]]; then
    @FUNCTION@_value "$place" "${PREFIX%%=*}"
    compset -P 1 '*='
  elif [[ -z $ended && $PREFIX == -* ]]; then
    kind=options
  elif [[ -n $group ]]; then
    if [[ $PREFIX == *.* ]]; then
      word=${PREFIX%.*}
      route="$route ${word//./ }"
      @FUNCTION@_place "${route# }"
      compset -P '*.'
    fi
    kind=names
  else
    @FUNCTION@_position "$place" "$position"
  fi

  case $kind in
  (names) _describe -t commands command below ;;
  (options)
    [[ -z $ended ]] || return 1
    own+=("${common[@]}")
    _describe -o -t options option own ;;
  (words) compadd -a choices ;;
  (files) _files ;;
  (data) compset -P '@' && _files ;;
  (*) return 1 ;;
  esac
}

# In a file of $fpath all of this is the body of a function, which is called to complete.
if (( $+compstate )); then
  @FUNCTION@ "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef @FUNCTION@ @NAME@
fi
