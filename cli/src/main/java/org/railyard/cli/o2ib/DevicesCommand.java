package org.railyard.cli.o2ib;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.railyard.base.text.Doc;
import org.railyard.cli.text.JsonOption;
import org.railyard.ibverbs.CardProblem;
import org.railyard.ibverbs.CardReport;
import org.railyard.verbs.PortAttributes;
import org.railyard.verbs.VerbsException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code railyard o2ib devices}: the RDMA cards of this machine, and what keeps LNet from using them. */
@Command(
        name = "devices",
        description = {
            "Show the RDMA cards of this machine, and what is wrong for LNet.",
            "Limits, ports, speeds, GIDs, interfaces; and what is missing or set wrong, with what to do."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:there are cards and nothing is wrong",
            "1:there are none, or something is wrong; the text says what"
        })
final class DevicesCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        CardReport report;
        try {
            report = CardReport.ofSystem();
        } catch (VerbsException e) {
            if (json.isWanted()) {
                CardReport nothing = new CardReport(List.of(), CardReport.problemsOfSystem());
                json.print(out, List::of, () -> document(nothing));
                return 1;
            }
            spec.commandLine().getErr().println("railyard: " + e.getMessage());
            return 1;
        }
        if (json.isWanted()) {
            json.print(out, List::of, () -> document(report));
        } else {
            print(report, out);
        }
        return report.problems().isEmpty() ? 0 : 1;
    }

    static Map<String, Object> document(CardReport report) {
        List<Object> cards = new ArrayList<>();
        for (CardReport.Card card : report.cards()) {
            cards.add(new Doc()
                    .put("name", card.name())
                    .put("node_guid", card.nodeGuid())
                    .put("firmware", card.firmware())
                    .put("limits", card.limits())
                    .put(
                            "ports",
                            card.ports().stream().map(DevicesCommand::document).toList())
                    .map());
        }
        List<Object> problems = new ArrayList<>();
        for (CardProblem problem : report.problems()) {
            problems.add(new Doc()
                    .put("kind", problem.kind().name().toLowerCase(Locale.ROOT))
                    .put("subject", problem.subject())
                    .put("found", problem.found())
                    .put("remedy", problem.remedy())
                    .map());
        }
        return new Doc().put("cards", cards).put("problems", problems).map();
    }

    private static Map<String, Object> document(CardReport.Port port) {
        PortAttributes at = port.attributes();
        return new Doc()
                .put("port", port.number())
                .put("state", at.state().name().toLowerCase(Locale.ROOT))
                .put("layer", at.layer().name().toLowerCase(Locale.ROOT))
                .put("lid", at.lid())
                .put("mtu", at.activeMtu())
                .put("max_mtu", at.maxMtu())
                .put("rate_gbps", at.linkRate() / 10_000.0)
                .put("gids", port.gids())
                .put(
                        "interfaces",
                        port.interfaces().stream()
                                .map(each -> new Doc()
                                        .put("name", each.name())
                                        .put("address", each.address())
                                        .map())
                                .toList())
                .map();
    }

    static void print(CardReport report, PrintWriter out) {
        for (CardReport.Card card : report.cards()) {
            out.println(card.name() + ": node GUID " + card.nodeGuid()
                    + (card.firmware().isEmpty() ? "" : ", firmware " + card.firmware()));
            out.println("  limits: " + card.limits());
            card.ports().forEach(port -> print(port, out));
        }
        for (CardProblem problem : report.problems()) {
            out.println("! " + problem.line());
        }
    }

    private static void print(CardReport.Port port, PrintWriter out) {
        PortAttributes at = port.attributes();
        boolean ethernet = at.layer() == PortAttributes.LinkLayer.ETHERNET;
        out.printf(
                Locale.ROOT,
                "  port %d: %s, %s, %s, MTU %d of %d%n",
                port.number(),
                at.state(),
                ethernet ? "Ethernet (RoCE)" : "InfiniBand, LID " + at.lid(),
                rate(at),
                at.activeMtu(),
                at.maxMtu());
        String interfaces =
                port.interfaces().stream().map(CardReport.Interface::toString).collect(Collectors.joining(", "));
        out.println("    interfaces: " + (interfaces.isEmpty() ? "none with an IPv4 address" : interfaces));
        port.gids().forEach(gid -> out.println("    GID " + gid));
    }

    private static String rate(PortAttributes at) {
        return at.linkRate() == 0
                ? "unknown rate"
                : String.format(Locale.ROOT, "%dX, %.1f Gb/s", at.lanes(), at.linkRate() / 10_000.0);
    }
}
