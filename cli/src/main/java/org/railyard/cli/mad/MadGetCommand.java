package org.railyard.cli.mad;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.cli.text.JsonOption;
import org.railyard.host.RealHost;
import org.railyard.mad.smp.SmpAttributes;
import org.railyard.mad.text.MadDocument;
import org.railyard.mad.text.MadText;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.umad.UmadTransport;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard mad get}: one attribute of a node of the live subnet. */
@Command(
        name = "get",
        description = "Read an attribute of a node of the subnet through libibumad; nothing is changed.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the node answered",
            "1:it answered with an error, or not at all, or the port can not be used",
            "2:the command line is wrong"
        },
        footer = {
            "",
            "Examples:",
            "  railyard mad get NodeInfo --path 0,1",
            "  railyard mad get PortInfo --path 0,1 --modifier 4",
            "  railyard mad get SwitchInfo --lid 7 --device mlx5_0 --port 1"
        })
final class MadGetCommand implements Callable<Integer> {
    private static final int MAX_LID = 0xBFFF;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "ATTRIBUTE", description = "Its name, such as NodeInfo, PortInfo, LinearForwardingTable.")
    private String attribute = "";

    @Option(
            names = "--path",
            paramLabel = "0,PORT,…",
            description = "Directed route: 0 for the own node, then the port to leave each node by. Default: 0.")
    private Optional<String> path = Optional.empty();

    @Option(names = "--lid", paramLabel = "N", description = "The LID of the node, in place of a directed route.")
    private Optional<Integer> lid = Optional.empty();

    @Option(
            names = "--modifier",
            paramLabel = "N",
            description = "Which port, block or table, as the attribute has it; 0x… is hexadecimal. Default: 0.")
    private String modifier = "0";

    @Mixin
    private UmadOptions port = new UmadOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        Mad request = request();
        MadAddress to = lid.map(MadAddress::smp).orElse(MadAddress.DIRECTED);
        RequestOutcome outcome;
        try (UmadTransport transport = UmadTransport.open(port.settings(), new RealHost().clock())) {
            MadRequests requests = new MadRequests(transport, RequestSettings.DEFAULT, (mad, from) -> {});
            CompletableFuture<RequestOutcome> ended = new CompletableFuture<>();
            transport.loop().execute(() -> requests.submit(request, to, ended::complete));
            outcome = ended.join();
        }
        return switch (outcome) {
            case RequestOutcome.Answered answered -> {
                Mad mad = answered.mad();
                json.print(
                        spec.commandLine().getOut(),
                        () -> MadText.page(mad).lines().toList(),
                        () -> MadDocument.of(mad));
                yield mad.status() == MadStatus.OK ? 0 : 1;
            }
            case RequestOutcome.Unanswered(int attempts) ->
                throw new ErrnoException(
                        Errno.ETIMEDOUT, MadText.summary(request) + ": no answer to any of " + attempts + " requests");
            case RequestOutcome.Refused refused ->
                throw new ErrnoException(Errno.ofStatus(-refused.errno()), MadText.summary(request) + " was not sent");
            case RequestOutcome.Cancelled _ ->
                throw new ErrnoException(Errno.EIO, "the port failed before an answer came");
        };
    }

    private Mad request() {
        if (path.isPresent() && lid.isPresent()) {
            throw wrong("--path and --lid exclude each other");
        }
        AttributeType<?> type = SmpAttributes.ALL.stream()
                .filter(one -> one.name().equalsIgnoreCase(attribute))
                .findFirst()
                .orElseThrow(() -> wrong("no attribute " + attribute + ": one of "
                        + SmpAttributes.ALL.stream().map(AttributeType::name).collect(Collectors.joining(", "))
                        + " expected"));
        if (lid.isPresent()) {
            if (lid.get() < 1 || lid.get() > MAX_LID) {
                throw wrong("LID " + lid.get() + " is not 1 to " + MAX_LID);
            }
            return Mad.lidRouted(MadMethod.GET, type, modifier());
        }
        return Mad.directed(MadMethod.GET, type, modifier(), directedPath());
    }

    private int modifier() {
        try {
            String text = modifier.toLowerCase(Locale.ROOT);
            return text.startsWith("0x")
                    ? Integer.parseUnsignedInt(text.substring(2), 16)
                    : Integer.parseUnsignedInt(text);
        } catch (NumberFormatException e) {
            throw wrong("--modifier " + modifier + ": a number of 32 bits expected");
        }
    }

    private DirectedPath directedPath() {
        String text = path.orElse("0");
        try {
            int[] ports = Arrays.stream(text.split(",", -1))
                    .mapToInt(Integer::parseInt)
                    .toArray();
            if (ports[0] != 0) {
                throw wrong("--path " + text + ": it begins with 0, the own node");
            }
            return DirectedPath.of(Arrays.copyOfRange(ports, 1, ports.length));
        } catch (NumberFormatException e) {
            throw wrong("--path " + text + ": numbers with commas between them expected, such as 0,1,4");
        } catch (IllegalArgumentException e) {
            throw wrong("--path " + text + ": " + e.getMessage());
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
