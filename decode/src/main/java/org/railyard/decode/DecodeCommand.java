package org.railyard.decode;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.railyard.decode.capture.CaptureBytes;
import org.railyard.decode.capture.CaptureProblems;
import org.railyard.decode.capture.NotACaptureException;
import org.railyard.decode.tcp.TcpConnection;
import org.railyard.decode.wireshark.Dissector;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidFormatException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard decode}: shows the LNet traffic in a packet capture. */
@Command(
        name = "decode",
        description = "Show the LNet traffic in a packet capture (pcap or pcapng).",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the whole capture was read, or a stream until Ctrl-C",
            "1:parts of the capture are damaged; they are named on standard error and the rest is shown",
            "2:the file is no capture or cannot be read, or the command line is wrong"
        },
        footer = {
            "",
            "Examples:",
            "  railyard decode --portal 50 --nid 10.0.0.5@tcp capture.pcap",
            "  tcpdump -U -i eth0 -w - tcp port 988 | railyard decode -",
            "  railyard decode --live eth0 --type put,get",
            "  railyard decode --dissector ~/.local/lib/wireshark/plugins/railyard.lua"
        })
public final class DecodeCommand implements Callable<Integer> {
    static final int DAMAGED = 1;
    static final int UNUSABLE = 2;

    /** The port of the acceptor (spec 02 §2.1). */
    private static final int ACCEPTOR_PORT = 988;

    private static final int GZIP_FIRST = 0x1f;
    private static final int GZIP_SECOND = 0x8b;

    private static final long MAX_PORTAL = 0xffff_ffffL;

    private final InputStream standardInput;

    /** Where programs are looked for. */
    private final String path;

    /** Whether Ctrl-C ended the stream. */
    private boolean interrupted;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            description = "The capture; - for standard input, which is printed while it is read, as other pipes are.")
    private String file = "";

    @Option(
            names = "--live",
            paramLabel = "IF",
            description = "Capture on a network interface, or 'any', with tcpdump or dumpcap; Ctrl-C ends it.")
    private String live = "";

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "TCP port to decode, at either end; may be repeated. Default: 988.")
    private Set<Integer> ports = new TreeSet<>();

    @Option(
            names = "--nid",
            paramLabel = "NID",
            split = ",",
            description = "Only what comes from or goes to this NID; may be repeated.")
    private Set<String> nids = new TreeSet<>();

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            split = ",",
            description = "Only these: put, get, ack, reply, hello, request, noop, tcp.")
    private Set<String> types = new TreeSet<>();

    @Option(
            names = "--portal",
            paramLabel = "N",
            split = ",",
            description = "Only PUT and GET to this portal, with the ACK or REPLY to them; may be repeated.")
    private Set<Long> portals = new TreeSet<>();

    @Option(
            names = "--dissector",
            paramLabel = "LUA",
            description = "Write a dissector for Wireshark and tshark to this file, - for standard output; reads no"
                    + " capture. It shows LNet over TCP, InfiniBand and RoCEv2.")
    private String dissector = "";

    @Option(names = "--yaml", description = "Print one YAML document instead of text.")
    private boolean yaml;

    @Option(names = "--json", description = "Print one JSON document instead of text, an element to a line.")
    private boolean json;

    /** Makes the command. */
    public DecodeCommand() {
        this(System.in, System.getenv().getOrDefault("PATH", ""));
    }

    DecodeCommand(InputStream standardInput, String path) {
        this.standardInput = standardInput;
        this.path = path;
    }

    @Override
    public Integer call() {
        for (int port : ports) {
            if (port < 1 || port > 65_535) {
                throw wrong("--port " + port + ": expected 1 to 65535");
            }
        }
        PrintWriter err = spec.commandLine().getErr();
        if (Stream.of(file, live, dissector).filter(given -> !given.isEmpty()).count() != 1) {
            throw wrong("what? a FILE, - for standard input, --live IF, or --dissector LUA; one of them");
        }
        if (yaml && json) {
            throw wrong("--yaml and --json do not go together");
        }
        if (!dissector.isEmpty()) {
            return writeDissector(err);
        }
        ElementFilter filter = filter();
        try {
            return decode(filter, err);
        } catch (NotACaptureException e) {
            err.println("railyard: " + name() + ": " + e.getMessage());
        } catch (NoSuchFileException e) {
            err.println("railyard: " + name() + ": no such file");
        } catch (AccessDeniedException e) {
            err.println("railyard: " + name() + ": cannot be read: permission denied");
        } catch (IOException | InvalidPathException e) {
            err.println("railyard: " + name() + ": cannot be read: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            err.println("railyard: " + name() + ": interrupted");
        }
        return UNUSABLE;
    }

    private int writeDissector(PrintWriter err) {
        if (dissector.equals("-")) {
            spec.commandLine().getOut().print(Dissector.text());
            spec.commandLine().getOut().flush();
            return 0;
        }
        try {
            Files.writeString(Path.of(dissector), Dissector.text());
            return 0;
        } catch (IOException | InvalidPathException e) {
            err.println("railyard: " + dissector + ": cannot be written: " + reason(e));
            return UNUSABLE;
        }
    }

    /** What went wrong with a file, without its name. Java tells some reasons by the name of the exception only. */
    private static @Nullable String reason(Exception failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "its folder is not there";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException e when e.getReason() != null -> e.getReason();
            default -> failure.getMessage();
        };
    }

    private ParameterException wrong(String text) {
        return new ParameterException(spec.commandLine(), text);
    }

    private String name() {
        return live.isEmpty() ? file : live;
    }

    private ElementFilter filter() {
        Set<Nid> wantedNids = new LinkedHashSet<>();
        for (String nid : nids) {
            try {
                wantedNids.add(Nid.parse(nid));
            } catch (NidFormatException e) {
                throw wrong("--nid '" + nid + "': " + e.getMessage());
            }
        }
        Set<ElementFilter.Kind> kinds = EnumSet.noneOf(ElementFilter.Kind.class);
        for (String type : types) {
            try {
                kinds.add(ElementFilter.Kind.valueOf(type.strip().toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw wrong("--type '" + type + "': expected put, get, ack, reply, hello, request, noop or tcp");
            }
        }
        for (long portal : portals) {
            if (portal < 0 || portal > MAX_PORTAL) {
                throw wrong("--portal " + portal + ": expected 0 to " + MAX_PORTAL);
            }
        }
        return new ElementFilter(wantedNids, kinds, portals);
    }

    private Set<Integer> watched() {
        return ports.isEmpty() ? Set.of(ACCEPTOR_PORT) : ports;
    }

    private int decode(ElementFilter filter, PrintWriter err)
            throws IOException, NotACaptureException, InterruptedException {
        if (!live.isEmpty()) {
            try (LiveCapture capture = LiveCapture.start(live, watched(), path)) {
                return live(capture, filter, err);
            }
        }
        if (file.equals("-")) {
            return stream(standardInput, filter, err);
        }
        Path given = Path.of(file);
        if (Files.isRegularFile(given) && isGzip(given)) {
            try (InputStream in = new GZIPInputStream(Files.newInputStream(given))) {
                return stream(in, filter, err);
            }
        }
        if (Files.isRegularFile(given)) {
            try (CaptureFile capture = CaptureFile.open(given)) {
                return whole(capture, filter, err);
            }
        }
        try (InputStream in = Files.newInputStream(given)) {
            return stream(in, filter, err);
        }
    }

    private static boolean isGzip(Path given) throws IOException {
        try (InputStream in = Files.newInputStream(given)) {
            return in.read() == GZIP_FIRST && in.read() == GZIP_SECOND;
        }
    }

    private int live(LiveCapture capture, ElementFilter filter, PrintWriter err)
            throws IOException, NotACaptureException, InterruptedException {
        int exit;
        boolean begun = true;
        try {
            exit = stream(capture.output(), filter, err);
        } catch (NotACaptureException e) {
            Optional<String> failure = capture.failure();
            if (failure.isEmpty()) {
                throw e;
            }
            exit = UNUSABLE;
            begun = false;
        }
        Optional<String> failure = capture.failure();
        if (failure.isEmpty() || (begun && interrupted)) {
            return exit;
        }
        err.println("railyard: " + failure.get());
        return begun ? DAMAGED : UNUSABLE;
    }

    private int stream(InputStream in, ElementFilter filter, PrintWriter err) throws IOException, NotACaptureException {
        CaptureProblems problems = new CaptureProblems(err::println);
        PrintWriter out = spec.commandLine().getOut();
        StreamReport report =
                json ? new JsonStreamReport(out) : yaml ? new YamlReport.Running(out) : new TextReport.Running(out);
        try (StreamInput input = new StreamInput(in)) {
            CaptureDecoder.Totals totals;
            try {
                totals = CaptureDecoder.decode(
                        CaptureBytes.of(input), watched(), problems, new Filtered(filter, report));
            } catch (NotACaptureException e) {
                // What could not be read is the better reason.
                input.check();
                throw e;
            }
            report.end(totals, problems.count());
            interrupted = input.wasInterrupted();
            if (interrupted) {
                err.println("railyard: " + name() + ": ended by Ctrl-C after " + totals.packets() + " packets");
            }
            input.check();
            return told(filter, problems, totals.packets(), err);
        }
    }

    private int whole(CaptureFile capture, ElementFilter filter, PrintWriter err) throws NotACaptureException {
        CaptureProblems problems = new CaptureProblems(err::println);
        CaptureDecoder.Result result = CaptureDecoder.decode(capture.bytes(), watched(), filter, problems);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            JsonStreamReport.print(result, problems.count(), out);
        } else if (yaml) {
            YamlReport.print(result, problems.count(), out);
        } else {
            TextReport.print(result, out);
        }
        out.flush();
        return told(filter, problems, result.packets(), err);
    }

    private int told(ElementFilter filter, CaptureProblems problems, long packets, PrintWriter err) {
        if (filter.hidden() > 0) {
            err.println("railyard: " + name() + ": " + filter.hidden() + " elements do not match the filter");
        }
        if (problems.count() == 0) {
            return 0;
        }
        err.println("railyard: " + name() + ": " + problems.count() + " damaged or unusable places in " + packets
                + " packets; the rest is shown");
        return DAMAGED;
    }

    /** Passes on what a filter shows. */
    private record Filtered(ElementFilter filter, StreamReport report) implements CaptureDecoder.Output {
        @Override
        public void started(long time) {
            report.started(time);
        }

        @Override
        public void opened(TcpConnection connection) {
            report.opened(connection);
        }

        @Override
        public void element(Element element) {
            if (filter.shows(element)) {
                report.element(element);
            }
        }
    }
}
