package org.railyard.cli.lst;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code lst completion bash}: a script, made of the commands themselves, that teaches bash what may come next. Needs
 * no service; the script asks one.
 */
@Command(
        name = "completion",
        description = "Write a script that completes commands, options, groups and batches.",
        footer = {"", "Example:", "  source <(lst completion bash)"})
final class LstCompletionCommand implements Callable<Integer> {
    private static final String SHELL = "bash";

    /**
     * What is no table. Bash parts words at {@code =} and {@code :}, which are in the middle of some, so the script
     * parts the line itself.
     */
    private static final String FUNCTION = """
        # Prints what there is of a kind, one to a line; nothing where it can not be found out.
        _lst_values() {
            case $1 in
                group) lst list_group 2>/dev/null | sed -n 's/: [0-9]* nodes$//p' ;;
                batch) lst list_batch 2>/dev/null ;;
                state) printf '%s\\n' busy down unknown ;;
                test) printf '%s\\n' ping brw read write size= off= check=none check=simple check=full ;;
            esac
        }

        _lst() {
            local line=${COMP_LINE:0:COMP_POINT} current='' command=lst kind='' word prefix value
            local -a words
            local -i place=0
            COMPREPLY=()
            read -ra words <<<"$line"
            case $line in *' ') ;; *)
                current=${words[${#words[@]} - 1]-}
                unset "words[${#words[@]}-1]"
                ;;
            esac
            for word in "${words[@]:1}"; do
                if [[ -n $kind ]]; then
                    kind=''
                elif [[ $command == lst ]]; then
                    command="lst $word"
                elif [[ $word == -* ]]; then
                    kind=${_lst_value[$command $word]-}
                else
                    place+=1
                fi
            done
            if [[ -z $kind ]]; then
                if [[ $command == lst || $current == -* ]]; then
                    mapfile -t COMPREPLY < <(compgen -W "${_lst_next[$command]-}" -- "$current")
                    return
                fi
                kind=${_lst_value[$command $place]-${_lst_value[$command more]-}}
            fi
            while IFS= read -r value; do
                [[ -n $value && $value == "$current"* ]] && COMPREPLY+=("$(printf '%q' "$value")")
            done < <(_lst_values "$kind")
            # Bash replaces only what is behind the last of these.
            prefix=${current%"${current##*[:=]}"}
            COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
        }

        complete -F _lst lst
        """;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "SHELL", description = "bash")
    private String shell = "";

    @Override
    public Integer call() {
        if (!shell.equals(SHELL)) {
            throw new ParameterException(
                    spec.commandLine(), "no completion for shell '" + shell + "', expected " + SHELL);
        }
        spec.commandLine().getOut().print(script(spec.parent()));
        return LstTool.DONE;
    }

    /** Returns the script for a tool with such commands. */
    private static String script(CommandSpec lst) {
        Map<String, String> next = new LinkedHashMap<>();
        Map<String, String> values = new LinkedHashMap<>();
        next.put("lst", String.join(" ", lst.subcommands().keySet()));
        lst.subcommands().forEach((name, command) -> {
            CommandSpec each = command.getCommandSpec();
            List<String> options = new ArrayList<>();
            for (OptionSpec option : each.options()) {
                for (String text : option.names()) {
                    options.add(text);
                    if (option.arity().max() > 0) {
                        // One that nothing is known of takes the next word all the same.
                        values.put("lst " + name + " " + text, kind(option.paramLabel(), "any"));
                    }
                }
            }
            next.put("lst " + name, String.join(" ", options));
            for (PositionalParamSpec place : each.positionalParameters()) {
                String index = place.arity().max() > 1
                        ? "more"
                        : Integer.toString(place.index().min());
                String kind = kind(place.paramLabel(), "");
                if (!kind.isEmpty()) {
                    values.put("lst " + name + " " + index, kind);
                }
            }
        });
        StringBuilder text = new StringBuilder("# Completion of lst for bash, from 'lst completion bash'.\n");
        table(text, "_lst_next", next);
        table(text, "_lst_value", values);
        return text.append('\n').append(FUNCTION).toString();
    }

    private static void table(StringBuilder text, String name, Map<String, String> entries) {
        text.append("declare -A ").append(name).append("=(\n");
        entries.forEach((key, value) ->
                text.append("    ['").append(key).append("']='").append(value).append("'\n"));
        text.append(")\n");
    }

    /** Returns what can be found out of a value, by what it is called. */
    private static String kind(String label, String otherwise) {
        return switch (label) {
            case "GROUP", "GROUP|NIDS" -> "group";
            case "BATCH" -> "batch";
            case "STATE" -> "state";
            case "TEST" -> "test";
            default -> otherwise;
        };
    }
}
