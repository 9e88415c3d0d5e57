package org.railyard.cli.explain;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.base.yaml.DocumentException;
import org.railyard.base.yaml.Problem;
import org.railyard.cli.text.FileReason;
import org.railyard.cli.text.JsonOption;
import org.railyard.config.Configuration;
import org.railyard.host.WholeText;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidFormatException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code railyard explain path}: which way a message would go, what there was to choose from, and what decided. */
@Command(
        name = "path",
        description = {
            "Tell which way a message would go on a node, and why.",
            "The node is one with a configuration. Nothing is sent."
        },
        footer = {
            "",
            "The configuration is what 'lnetctl export' writes and 'lnetctl import' reads. What it does not say of a"
                    + " peer is not known:",
            "a peer that is not in its section 'peer' counts as one that is not multi-rail. Gateways of routes are"
                    + " taken to be up and to forward.",
            "",
            "Exit code: 0 there is a way, 1 there is none, 2 a file or an argument can not be used.",
            "",
            "Examples:",
            "  railyard explain path --config client.yaml --to 10.0.0.5@o2ib",
            "  railyard explain path --config nets.yaml --config udsp.yaml --to 10.0.0.5@tcp --from 10.0.0.1@tcp"
                    + " --size 1048576"
        })
final class ExplainPathCommand implements Callable<Integer> {
    private static final int NO_WAY = 1;
    private static final int BAD_INPUT = 2;
    private static final int MAX_BYTES = 16 << 20;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            required = true,
            description = "Configuration of the node, lnetctl's YAML. Several are taken together, in order.")
    private List<Path> files = List.of();

    @Option(names = "--to", paramLabel = "NID", required = true, description = "NID that the message is for.")
    private String to = "";

    @Option(names = "--from", paramLabel = "NID", description = "NID of this node to send from. Default: any.")
    private @Nullable String from;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "4096",
            description = "Payload of the message, 0 to 1048576. Default: ${DEFAULT-VALUE}.")
    private int size;

    @Mixin
    private JsonOption json = new JsonOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** For picocli. */
    ExplainPathCommand() {}

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        Nid target = nid("--to", to);
        Nid source = from == null ? Nid.ANY : nid("--from", from);
        try {
            Configuration config = read();
            config.warningsFor(List.of()).forEach(warning -> err.println("railyard: warning: " + warning));
            try (LNet node = DryNode.of(config)) {
                List<String> lines = new ArrayList<>();
                if (!target.isLoopback() && node.inventory().peer(target).isEmpty()) {
                    lines.add("no peer with the NID " + target
                            + " is configured: taken as one that is not multi-rail, with no other NID");
                }
                Explanation explanation = node.explain(target, source, size);
                explanation.toString().lines().forEach(lines::add);
                json.print(spec.commandLine().getOut(), () -> lines, () -> document(explanation, lines));
                return explanation.isPossible() ? 0 : NO_WAY;
            }
        } catch (DocumentException e) {
            for (Problem problem : e.problems()) {
                err.println("railyard: " + problem);
            }
            return BAD_INPUT;
        } catch (ErrnoException e) {
            err.println("railyard: " + e.getMessage());
            return BAD_INPUT;
        }
    }

    private static Map<String, Object> document(Explanation explanation, List<String> lines) {
        Doc document = new Doc().put("possible", explanation.isPossible());
        if (explanation.isPossible()) {
            document.put("from", explanation.from().toString())
                    .put("to", explanation.to().toString());
        } else {
            document.put("errno", explanation.status());
        }
        return document.put("text", lines).map();
    }

    private Nid nid(String option, String text) {
        try {
            return Nid.parse(text);
        } catch (NidFormatException e) {
            throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
        }
    }

    private Configuration read() throws DocumentException {
        Configuration all = Configuration.EMPTY;
        for (Path file : files) {
            all = all.plus(Configuration.read(file.toString(), text(file)));
        }
        return all;
    }

    private static String text(Path file) {
        try {
            return WholeText.read(file, MAX_BYTES, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new ErrnoException(Errno.ENOENT, file + ": no such file", e);
        } catch (IOException e) {
            throw new ErrnoException(FileReason.errno(e), file + ": cannot be read: " + FileReason.ofReading(e), e);
        }
    }
}
