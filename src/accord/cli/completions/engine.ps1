# Completes @TITLE@ in PowerShell. Made by --completions powershell: make it anew when the commands have changed.
Register-ArgumentCompleter -Native -CommandName @NAMES@ -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # An option: how it is spelled, what else means it, what it is for, what it takes.
    $shared = @(
@SHARED@
    )
    # A place of the command line: the words that lead there, and what may come next.
    $places = @(
@PLACES@
    )

    function Find-Place([string] $route) {
        foreach ($each in $places) { if ($each.Names -ccontains $route) { return $each } }
        return @{ Names = @('?'); Below = @(); Own = @(); Positions = @(); Taken = @(); IsGroup = $false; Endless = $false }
    }
    function Find-Option($place, [string] $spelling) {
        foreach ($each in @($place.Own) + @($shared)) {
            if ($each.Spellings -ccontains $spelling -or $each.Also -ccontains $spelling) { return $each }
        }
        return @{ Kind = 'unknown'; Words = @() }
    }
    function Show-Offer([string] $text, [string] $says) {
        $plain = $text -cmatch '^[\w@%+=:./-]+$'
        $typed = if ($plain) { $text } else { "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($text) + "'" }
        $tip = if ($says) { $says } else { $text }
        [System.Management.Automation.CompletionResult]::new($typed, $text, 'ParameterValue', $tip)
    }

    $place = Find-Place ''
    $route = @()
    $position = 0
    $waiting = ''
    $ended = $false
    $before = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object {
        $_.Extent.EndOffset -lt $cursorPosition -or ($_.Extent.EndOffset -eq $cursorPosition -and $wordToComplete -eq '')
    })
    foreach ($element in $before) {
        $word = if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $element.Value } else { $element.Extent.Text }
        if ($waiting) {
            $waiting = ''
        } elseif (-not $ended -and $word -ceq '--') {
            $ended = $true
        } elseif (-not $ended -and $word -cmatch '^-.') {
            $option = Find-Option $place $word
            if (@('flag', 'unknown') -cnotcontains $option.Kind) { $waiting = $word }
        } elseif ($place.IsGroup) {
            $route += $word.Split('.')
            $place = Find-Place ($route -join ' ')
        } else {
            $position += 1
        }
    }

    $head = ''
    $current = $wordToComplete
    $value = @{ Kind = 'none'; Words = @() }
    if ($waiting) {
        $value = Find-Option $place $waiting
    } elseif (-not $ended -and $current -cmatch '^--[^=]*=') {
        $at = $current.IndexOf('=')
        $value = Find-Option $place $current.Substring(0, $at)
        $head = $current.Substring(0, $at + 1)
        $current = $current.Substring($at + 1)
    } elseif (-not $ended -and $current -cmatch '^-') {
        $value = @{ Kind = 'options'; Words = @() }
    } elseif ($place.IsGroup) {
        $value = @{ Kind = 'names'; Words = @() }
        $at = $current.LastIndexOf('.')
        if ($at -ge 0) {
            $head = $current.Substring(0, $at + 1)
            $route += $current.Substring(0, $at).Split('.')
            $place = Find-Place ($route -join ' ')
            $current = $current.Substring($at + 1)
        }
    } elseif ($position -lt $place.Positions.Count) {
        $value = $place.Positions[$position]
    } elseif ($place.Endless) {
        $value = $place.Positions[-1]
    } elseif (-not $ended) {
        $value = @{ Kind = 'options'; Words = @() }
    }
    if ($value.Kind -ceq 'data' -and $current.StartsWith('@')) {
        $value = @{ Kind = 'files'; Words = @() }
        $head += '@'
        $current = $current.Substring(1)
    }

    switch -CaseSensitive ($value.Kind) {
        'names' {
            foreach ($each in @($place.Below)) {
                if ($each.Word.StartsWith($current, 'Ordinal')) { Show-Offer ($head + $each.Word) $each.Says }
            }
        }
        'options' {
            foreach ($each in @($place.Own) + @($shared)) {
                foreach ($spelling in @($each.Spellings)) {
                    $taken = ($shared -contains $each) -and ($place.Taken -ccontains $spelling)
                    if (-not $taken -and $spelling.StartsWith($current, 'Ordinal')) { Show-Offer $spelling $each.Says }
                }
            }
        }
        'words' {
            foreach ($each in @($value.Words)) {
                if ($each.StartsWith($current, 'Ordinal')) { Show-Offer ($head + $each) '' }
            }
        }
        'files' {
            # Without an answer PowerShell completes files by itself, but not after --name= or @.
            if ($head) {
                foreach ($each in [System.Management.Automation.CompletionCompleters]::CompleteFilename($current)) {
                    [System.Management.Automation.CompletionResult]::new($head + $each.CompletionText, $each.ListItemText, 'ParameterValue', $each.ToolTip)
                }
            }
        }
    }
}
