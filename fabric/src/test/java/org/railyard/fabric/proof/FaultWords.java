package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport.Fault;
import org.railyard.fabric.proof.CheckReport.FaultKind;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/** Whether the words of faults are true, and how many faults there are, by following each packet. */
final class FaultWords {
    private static final Pattern NO_ROUTE = Pattern.compile(
            "no route from (\\S+) \\(LID (\\d+)\\) to (\\S+) \\(LID (\\d+)\\): it (goes round|ends at (\\S+), port"
                    + " (\\d+))");
    private static final Pattern NO_SL =
            Pattern.compile("no SL from (\\S+) \\(LID (\\d+)\\) to (\\S+) \\(LID (\\d+)\\)");
    private static final Pattern DROPS =
            Pattern.compile("(\\S+) drops (\\S+) to (\\S+) sl (\\d+) \\(VL 15 towards port (\\d+)\\)");
    private static final Pattern ROUND = Pattern.compile("to (\\S+) \\(LID (\\d+)\\): (\\S+( -> \\S+)+)");

    private final Fabric fabric;
    private final Routing routing;
    private final CheckOptions options;

    FaultWords(Fabric fabric, Routing routing, CheckOptions options) {
        this.fabric = fabric;
        this.routing = routing;
        this.options = options;
    }

    void assertTrue(CheckReport report) {
        report.faults().forEach(this::assertTrue);
        boolean countable = report.faults().stream()
                .allMatch(fault -> fault.kind() == FaultKind.NO_SL || fault.kind() == FaultKind.UNREACHABLE);
        if (countable && report.faults().size() < CheckReport.MAX_FAULTS) {
            assertThat(report.faultCount()).isEqualTo(count());
        }
    }

    private void assertTrue(Fault fault) {
        Matcher words = switch (fault.kind()) {
            case UNREACHABLE -> NO_ROUTE.matcher(fault.text());
            case NO_SL -> NO_SL.matcher(fault.text());
            case DROPPED -> DROPS.matcher(fault.text());
            case FORWARDING_LOOP -> ROUND.matcher(fault.text());
        };
        assertThat(words.matches()).as(fault.text()).isTrue();
        boolean isTrue = switch (fault.kind()) {
            case UNREACHABLE -> isNoRoute(words);
            case NO_SL -> isNoSl(words);
            case DROPPED -> isDropped(words);
            case FORWARDING_LOOP -> isRound(words);
        };
        assertThat(isTrue).as(fault.text()).isTrue();
    }

    private static int number(Matcher words, int group) {
        return Integer.parseInt(words.group(group));
    }

    /** Whether the LID has the name that stands beside it. */
    private boolean isNamed(int lid, String name) {
        return name.equals(fabric.description(fabric.nodeOf(fabric.portOfLid(lid))));
    }

    private boolean isPair(Matcher words) {
        return isNamed(number(words, 2), words.group(1))
                && isNamed(number(words, 4), words.group(3))
                && fabric.portOfLid(number(words, 2)) != fabric.portOfLid(number(words, 4));
    }

    private boolean arrives(int sw, int lid) {
        int end = fabric.portOfLid(lid);
        return sw == fabric.switchOf(end) && routing.forwarding().port(sw, lid) == fabric.switchPortOf(end);
    }

    /** Returns the switch that another one leads to, −1 for none. */
    private int next(int sw, int lid) {
        int out = routing.forwarding().port(sw, lid);
        int peer = out > fabric.ports(sw) ? Fabric.NONE : fabric.peer(fabric.portIndex(sw, out));
        return !arrives(sw, lid) && peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer))
                ? fabric.nodeOf(peer)
                : -1;
    }

    /** Returns where packets end that start at a switch, −1 if they go round. */
    private int end(int start, int lid) {
        int at = start;
        for (int hops = 0; hops <= fabric.switchCount(); hops++) {
            if (next(at, lid) < 0) {
                return at;
            }
            at = next(at, lid);
        }
        return -1;
    }

    private boolean isNoRoute(Matcher words) {
        int lid = number(words, 4);
        int end = end(fabric.switchOf(fabric.portOfLid(number(words, 2))), lid);
        if (end < 0) {
            return isPair(words) && words.group(5).equals("goes round");
        }
        return isPair(words)
                && !arrives(end, lid)
                && fabric.description(end).equals(words.group(6))
                && routing.forwarding().port(end, lid) == number(words, 7);
    }

    private boolean lacksSl(int from, int to) {
        return IntStream.range(0, routing.sls().levels())
                .anyMatch(level -> routing.sls().sl(from, to, 8 * level) == PathSls.NO_SL);
    }

    private boolean isNoSl(Matcher words) {
        return isPair(words) && lacksSl(number(words, 2), number(words, 4));
    }

    private boolean isDropped(Matcher words) {
        for (int from = 1; from <= fabric.maxLid(); from++) {
            for (int to = 1; to <= fabric.maxLid(); to++) {
                boolean named = fabric.portOfLid(from) != fabric.portOfLid(to)
                        && fabric.portOfLid(from) != Fabric.NONE
                        && fabric.portOfLid(to) != Fabric.NONE
                        && isNamed(from, words.group(2))
                        && isNamed(to, words.group(3));
                if (named && isDropped(from, to, words.group(1), number(words, 4), number(words, 5))) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isDropped(int from, int to, String name, int sl, int port) {
        int sw = fabric.switchOf(fabric.portOfLid(from));
        int in = fabric.switchPortOf(fabric.portOfLid(from));
        boolean sends = IntStream.range(0, routing.sls().levels())
                .anyMatch(level -> routing.sls().sl(from, to, 8 * level) == sl);
        for (int hops = 0; sends && hops <= fabric.switchCount(); hops++) {
            int out = routing.forwarding().port(sw, to);
            if (next(sw, to) < 0 && !arrives(sw, to)) {
                return false;
            }
            boolean drops = SlToVl.vl(routing.slToVl().table(sw, in, out), sl) == SlToVl.DROP;
            if (drops) {
                return out == port && fabric.description(sw).equals(name);
            }
            if (arrives(sw, to)) {
                return false;
            }
            in = fabric.portNumber(fabric.peer(fabric.portIndex(sw, out)));
            sw = next(sw, to);
        }
        return false;
    }

    private boolean isRound(Matcher words) {
        int lid = number(words, 2);
        List<Integer> way = List.of(words.group(3).split(" -> ")).stream()
                .map(this::switchNamed)
                .toList();
        boolean leads = isNamed(lid, words.group(1)) && way.getFirst().equals(way.getLast());
        for (int i = 0; i + 1 < way.size(); i++) {
            leads &= next(way.get(i), lid) == way.get(i + 1);
        }
        return leads;
    }

    private int switchNamed(String name) {
        return IntStream.range(0, fabric.switchCount())
                .filter(sw -> fabric.description(sw).equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Pairs of an end port and another one's LID between which there is no route, or one but no SL. */
    private long count() {
        long count = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            for (int lid = 1; lid <= fabric.maxLid() && SourceGroups.isSource(fabric, port, options); lid++) {
                int to = fabric.portOfLid(lid);
                if (to == port || to == Fabric.NONE || !SourceGroups.isSource(fabric, to, options)) {
                    continue;
                }
                int sw = fabric.switchOf(port);
                int end = end(sw, lid);
                boolean starts = arrives(sw, lid) || next(sw, lid) >= 0;
                count += end >= 0 && arrives(end, lid) ? 0 : 1;
                count += starts && lacksSl(fabric.lid(port), lid) ? 1 : 0;
            }
        }
        return count;
    }
}
