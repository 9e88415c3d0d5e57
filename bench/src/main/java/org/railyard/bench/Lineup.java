package org.railyard.bench;

import java.util.List;
import org.railyard.bench.compare.Contender;
import org.railyard.bench.lnet.Bulk;
import org.railyard.bench.lnet.PutAckLatency;
import org.railyard.bench.lnet.PutRate;
import org.railyard.bench.peer.Iperf3;
import org.railyard.bench.peer.JeroMqPushPull;
import org.railyard.bench.peer.NioPingPong;
import org.railyard.bench.peer.NioStream;
import org.railyard.bench.peer.Sockperf;
import org.railyard.bench.peer.UdpStream;

/** Who takes part in {@code bench lnet}: the one place where contenders are listed. */
final class Lineup {
    private Lineup() {}

    /** Returns new contenders of all measures, in the order of the rows. */
    static List<Contender> all() {
        return List.of(
                new PutAckLatency(),
                new NioPingPong(NioPingPong.Waiting.BLOCKING),
                new NioPingPong(NioPingPong.Waiting.SELECTOR),
                new Sockperf(),
                PutRate.overTcp(),
                NioStream.messages(),
                new JeroMqPushPull(),
                Bulk.put(1),
                Bulk.get(1),
                NioStream.oneRail(),
                Iperf3.oneRail(),
                Bulk.put(2),
                Bulk.get(2),
                NioStream.twoRails(),
                Iperf3.twoRails(),
                Bulk.routedPut(),
                Bulk.routedGet(),
                Bulk.directPut(),
                Bulk.directGet(),
                PutRate.overO2ib(),
                PutRate.besideO2ib(),
                UdpStream.messages(),
                Bulk.o2ibPut(),
                Bulk.o2ibGet(),
                Bulk.besideO2ib(),
                UdpStream.blocks());
    }
}
