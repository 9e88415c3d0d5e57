package org.railyard.cli.lnetctl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code completion}: a script, made of the list of commands, that teaches bash what may come next. Needs no service.
 */
final class CompletionScript {
    private static final String SHELL = "bash";

    /**
     * What is no table. Bash parts words at {@code @}, which is in the middle of every NID, so the script parts the
     * line itself.
     */
    private static final String FUNCTION = """
        # Prints what there is of a kind, a word to a line; nothing where it can not be found out.
        _lnetctl_values() {
            case $1 in
                net) lnetctl net show 2>/dev/null | sed -n 's/.*net type: //p' ;;
                nid) { lnetctl peer list; lnetctl net show; } 2>/dev/null | sed -n 's/.*nid: //p' | sort -u ;;
                if) ls /sys/class/net 2>/dev/null ;;
                type) printf '%s\\n' PUT ACK GET REPLY ;;
                file) compgen -f -- "$2" ;;
            esac
        }

        _lnetctl() {
            local line=${COMP_LINE:0:COMP_POINT} current='' path=lnetctl kind='' word option prefix
            local -a words
            read -ra words <<<"$line"
            case $line in *' ') ;; *)
                current=${words[${#words[@]} - 1]}
                unset "words[${#words[@]}-1]"
                ;;
            esac
            for word in "${words[@]:1}"; do
                kind=''
                if [[ -n ${_lnetctl_next[$path $word]+known} ]]; then
                    path="$path $word"
                elif [[ $word == --* ]]; then
                    # Options may be shortened.
                    for option in ${_lnetctl_next[$path]-}; do
                        if [[ $option == "$word"* ]]; then
                            kind=${_lnetctl_value[$path $option]-}
                            break
                        fi
                    done
                fi
            done
            COMPREPLY=()
            if [[ -n $kind ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$(_lnetctl_values "$kind" "$current")" -- "$current")
            else
                mapfile -t COMPREPLY < <(compgen -W "${_lnetctl_next[$path]-}" -- "$current")
                kind=${_lnetctl_value[$path]-}
                if [[ -n $kind && $current != -* ]]; then
                    mapfile -t COMPREPLY -O "${#COMPREPLY[@]}" \\
                        < <(compgen -W "$(_lnetctl_values "$kind" "$current")" -- "$current")
                fi
            fi
            # Bash replaces only what is behind the last of these.
            prefix=${current%"${current##*[@:=]}"}
            COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
        }

        complete -F _lnetctl lnetctl
        """;

    private CompletionScript() {}

    static LnetctlGroup group() {
        return LnetctlGroup.of(new Command(
                "completion",
                "",
                "SHELL",
                "write a script that completes commands, options, nets and NIDs; SHELL is bash",
                List.of(),
                CompletionScript::run));
    }

    private static int run(ParsedLine line, Session session) {
        String shell = line.words().isEmpty() ? "" : line.words().getFirst();
        if (!shell.equals(SHELL)) {
            return session.complain(
                    Exit.FAILED,
                    "completion: shell '" + shell + "'; expected " + SHELL + ": source <(lnetctl completion bash)");
        }
        session.out().print(script());
        return Exit.OK;
    }

    private static String script() {
        StringBuilder text = new StringBuilder("# Completion of lnetctl for bash, from 'lnetctl completion bash'.\n");
        Map<String, String> kinds = new LinkedHashMap<>();
        text.append("declare -A _lnetctl_next=(\n");
        for (String path : paths()) {
            List<String> words = split(path);
            List<String> next = new ArrayList<>(Interactive.offers(words));
            if (path.isEmpty()) {
                next.addAll(LnetctlCommands.OWN);
            }
            line(text, path, String.join(" ", next));
            Command command = LnetctlCommands.find(words);
            if (command != null) {
                put(kinds, path, command.words());
                command.options().forEach(opt -> put(kinds, path + " --" + opt.name(), opt.value()));
            }
        }
        text.append(")\ndeclare -A _lnetctl_value=(\n");
        kinds.forEach((path, kind) -> line(text, path, kind));
        return text.append(")\n\n").append(FUNCTION).toString();
    }

    private static List<String> split(String path) {
        return path.isEmpty() ? List.of() : List.of(path.split(" "));
    }

    private static void line(StringBuilder text, String key, String value) {
        text.append("    ['")
                .append(("lnetctl " + key).strip())
                .append("']='")
                .append(value)
                .append("'\n");
    }

    /** Returns all words after which something may come: none, groups, whole commands. */
    private static Set<String> paths() {
        Set<String> paths = new LinkedHashSet<>(Set.of(""));
        for (Command each : LnetctlCommands.list()) {
            StringBuilder path = new StringBuilder();
            for (String word : split(each.name())) {
                path.append(path.isEmpty() ? "" : " ").append(word);
                paths.add(path.toString());
            }
        }
        return paths;
    }

    /** Notes what can be found out of values, by what they are called. */
    private static void put(Map<String, String> kinds, String path, String called) {
        String kind = switch (called) {
            case "NET" -> "net";
            case "NID", "NID …", "NID[,NID…]" -> "nid";
            case "IF[,IF…]" -> "if";
            case "TYPE" -> "type";
            case "[FILE]" -> "file";
            default -> "";
        };
        if (!kind.isEmpty()) {
            kinds.put(path, kind);
        }
    }
}
