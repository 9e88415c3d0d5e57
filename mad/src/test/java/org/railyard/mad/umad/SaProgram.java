package org.railyard.mad.umad;

import java.util.concurrent.CompletableFuture;
import org.railyard.mad.rmpp.RmppSettings;
import org.railyard.mad.rmpp.RmppTransport;
import org.railyard.mad.sa.ClassPortInfo;
import org.railyard.mad.sa.NodeRecord;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.text.MadText;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.MadTransport;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;

/** Asks the SA at a LID a few things and prints the answers, a line each. */
final class SaProgram {
    private SaProgram() {}

    /**
     * Asks.
     *
     * @param arguments the LID of the SA, and the own one; behind them nothing for libibumad, else port of ibsim's
     *     control socket and name of a channel adapter
     */
    public static void main(String[] arguments) {
        MadAddress sa = MadAddress.gmp(Integer.parseInt(arguments[0]), 0);
        int own = Integer.parseInt(arguments[1]);
        try (MadTransport simulator = arguments.length == 2
                ? UmadTransport.open(UmadSettings.client(), RealClock.CLOCK)
                : IbsimUdp.open(Integer.parseInt(arguments[2]), arguments[3], RealClock.CLOCK)) {
            MadTransport transport = RmppTransport.before(simulator, RmppSettings.DEFAULT);
            MadRequests requests = new MadRequests(
                    transport, RequestSettings.DEFAULT.withTimeout(1_000_000_000L, 3), (mad, from) -> {});
            ask(transport, requests, Mad.sa(MadMethod.GET, ClassPortInfo.TYPE, 0), sa);
            Mad node = Mad.sa(MadMethod.GET_TABLE, NodeRecord.TYPE, NodeRecord.LID.mask());
            node.data(NodeRecord.TYPE).set(NodeRecord.LID, sa.lid());
            ask(transport, requests, node, sa);
            Mad path = Mad.sa(MadMethod.GET, SaPathRecord.TYPE, SaPathRecord.SLID.mask() | SaPathRecord.DLID.mask());
            path.data(SaPathRecord.TYPE).set(SaPathRecord.SLID, own).set(SaPathRecord.DLID, sa.lid());
            ask(transport, requests, path, sa);
        }
        System.exit(0);
    }

    private static void ask(MadTransport transport, MadRequests requests, Mad mad, MadAddress to) {
        CompletableFuture<RequestOutcome> ended = new CompletableFuture<>();
        transport.loop().execute(() -> requests.submit(mad, to, ended::complete));
        RequestOutcome outcome = ended.join();
        System.out.println(
                outcome instanceof RequestOutcome.Answered answered
                        ? answered.mad().records() + " " + MadText.line(answered.mad())
                        : outcome.toString());
    }
}
