package org.railyard.bench;

import java.util.List;
import org.railyard.bench.compare.Contender;
import org.railyard.bench.lnet.BulkRate;
import org.railyard.bench.lnet.PutAckLatency;
import org.railyard.bench.lnet.PutRate;
import org.railyard.bench.peer.FiPingpong;
import org.railyard.bench.peer.Iperf3;
import org.railyard.bench.peer.JeroMqPushPull;
import org.railyard.bench.peer.NioPingPong;
import org.railyard.bench.peer.NioStream;
import org.railyard.bench.peer.Sockperf;
import org.railyard.bench.peer.UcxPerftest;
import org.railyard.bench.peer.UdpStream;

/** Who takes part in {@code bench lnet}: the one place where contenders are listed. */
final class Contenders {
    private Contenders() {}

    /** Returns new contenders of all measures, in the order of the rows. */
    static List<Contender> all() {
        return List.of(
                new PutAckLatency(),
                new NioPingPong(NioPingPong.Waiting.BLOCKING),
                new NioPingPong(NioPingPong.Waiting.SELECTOR),
                new Sockperf(),
                UcxPerftest.roundTrip(),
                new FiPingpong(),
                PutRate.overTcp(),
                NioStream.messages(),
                new JeroMqPushPull(),
                UcxPerftest.messages(),
                BulkRate.put(1),
                BulkRate.get(1),
                NioStream.oneRail(),
                Iperf3.oneRail(),
                UcxPerftest.blocks(),
                BulkRate.put(2),
                BulkRate.get(2),
                NioStream.twoRails(),
                Iperf3.twoRails(),
                BulkRate.routedPut(),
                BulkRate.routedGet(),
                BulkRate.directPut(),
                BulkRate.directGet(),
                PutRate.overO2ib(),
                PutRate.besideO2ib(),
                UdpStream.messages(),
                BulkRate.o2ibPut(),
                BulkRate.o2ibGet(),
                BulkRate.besideO2ib(),
                UdpStream.blocks());
    }
}
