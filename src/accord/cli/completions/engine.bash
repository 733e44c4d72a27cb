# Completes @TITLE@ in bash. Made by --completions bash: make it anew when the commands have changed.

# Where the words so far lead: the names that may come next, or the command's own options.
@FUNCTION@_place() {
  own=() below=() group= common=(@COMMON@)
  case $1 in
@PLACES@
  *) place='?' common=() ;;
  esac
}

# What an option takes.
@FUNCTION@_value() {
  kind=unknown choices=()
  case "$1|$2" in
@VALUES@
  *)
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
  local words=() last=-1 rest=${COMP_LINE-} i piece before=
  # Without a line, somebody calls this by hand: put one together.
  if [[ -z $rest ]]; then
    for ((i = 0; i <= COMP_CWORD; i++)); do
      piece=${COMP_WORDS[i]-}
      [[ $i == 0 || $piece == [=:]* || $before == [=:] ]] || rest+=' '
      rest+=$piece before=$piece
    done
  else
    rest=${rest:0:${COMP_POINT-${#rest}}}
  fi
  # Bash splits words at = and : and @ as well; what no blank separates is one word.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    piece=${COMP_WORDS[i]-}
    if [[ $rest == [[:blank:]]* ]]; then
      rest=${rest#"${rest%%[![:blank:]]*}"}
      words[++last]=
    elif ((last < 0)); then
      words[++last]=
    fi
    [[ $rest == "$piece"* ]] || piece=$rest
    words[last]+=$piece
    rest=${rest#"$piece"}
  done

  local place= group= own=() below=() common=() kind= choices=()
  local route= position=0 waiting= ended= word
  @FUNCTION@_place ''
  for ((i = 1; i < last; i++)); do
    word=${words[i]}
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

  local current=${words[last]} head= quote=
  if [[ -n $waiting ]]; then
    @FUNCTION@_value "$place" "$waiting"
  elif [[ -z $ended && $current == --*=* ]]; then
    @FUNCTION@_value "$place" "${current%%=*}"
    head=${current%%=*}= current=${current#*=}
  elif [[ -z $ended && $current == -* ]]; then
    kind=options
  elif [[ -n $group ]]; then
    if [[ $current == *.* ]]; then
      head=${current%.*}. current=${current##*.}
      route="$route ${head//./ }"
      route=${route% }
      @FUNCTION@_place "${route# }"
    fi
    kind=words choices=(${below[@]+"${below[@]}"})
  else
    @FUNCTION@_position "$place" "$position"
  fi
  if [[ $kind == options && -z $ended ]]; then
    kind=words choices=(${own[@]+"${own[@]}"} ${common[@]+"${common[@]}"})
  fi
  # What readline replaces begins after a quote, or after the last character at which it splits.
  local whole tail item skip by_hand=
  if [[ $current == [\'\"]* ]]; then
    quote=1 skip=${#head} current=${current:1}
  fi
  if [[ $kind == data && $current == @* ]]; then
    kind=files head+=@ current=${current#@}
  fi
  if [[ -z $quote ]]; then
    whole=$head$current tail=$head$current
    for item in = :; do
      [[ $COMP_WORDBREAKS != *"$item"* ]] || tail=${tail##*"$item"}
    done
    # At @ it splits too, but keeps the character.
    [[ $COMP_WORDBREAKS != *@* || $tail != *@* ]] || tail=@${tail##*@}
    skip=$((${#whole} - ${#tail}))
    current=${current//\\/}
  fi

  COMPREPLY=()
  case $kind in
  words)
    for item in ${choices[@]+"${choices[@]}"}; do
      [[ $item == "$current"* ]] || continue
      item=$head$item
      item=${item:skip}
      [[ -n $quote ]] || printf -v item %q "$item"
      COMPREPLY+=("$item")
    done ;;
  files)
    # With an @ in front readline cannot tell what is a file, and would quote the @: done here instead. Old ones
    # cannot be told at all.
    [[ $head != *@ ]] && compopt -o filenames 2>/dev/null || by_hand=1
    while IFS= read -r item; do
      if [[ -n $by_hand ]]; then
        word=
        [[ ! -d $item ]] || { word=/; compopt -o nospace 2>/dev/null; }
        [[ -n $quote ]] || printf -v item %q "$item"
        item+=$word
      fi
      item=$head$item
      COMPREPLY+=("${item:skip}")
    done < <(compgen -f -- "$current") ;;
  esac
}

# Bash looks a program up as it was typed: a name with odd characters, with backslashes.
complete -F @FUNCTION@ -- @NAME@ "$(printf %q @NAME@)"
