package org.railyard.softverbs.net;

import java.util.BitSet;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.route.Routing;
import org.railyard.softverbs.time.Timeline;

/** One event for each message, which travels at the speed of the slowest link on the path that the tables give. */
final class MessageTransmitter implements Transmitter {
    private final Timeline time;
    private final Subnet subnet;

    MessageTransmitter(Timeline time, Subnet subnet) {
        this.time = time;
        this.subnet = subnet;
    }

    @Override
    public long send(Transmission sent) {
        PortPair route = sent.route();
        Transit transit = route.transit(subnet);
        long left = sent.earliest();
        if (sent.kind() == TrafficKind.DATA) {
            left = route.from().occupy(left, transit.bytesNanos(sent.bytes()));
        }
        long there = Math.max(
                sent.floor(), left + transit.delayNanos() + sent.verdict().delayNanos());
        sent.sender().leaves();
        if (!transit.arrives() || sent.isLostAtOnce()) {
            sent.sender().isLost();
            return there;
        }
        for (int copy = 0; copy < sent.copies(); copy++) {
            time.at(there, new Arrival(sent, transit));
        }
        return there;
    }

    /** A class, as there is one for each message: the first compiler makes objects of lambdas slowly. */
    private final class Arrival implements Runnable {
        private final Transmission sent;
        private final Transit then;

        Arrival(Transmission sent, Transit then) {
            this.sent = sent;
            this.then = then;
        }

        @Override
        public void run() {
            // What is on its way when its path breaks is lost; answers and managers are too quick for that.
            boolean pathHolds = sent.kind() != TrafficKind.DATA
                    || then.epoch() == subnet.epoch()
                    || sent.route().transit(subnet).arrives();
            if (pathHolds) {
                sent.sender().arrives();
            } else {
                sent.sender().isLost();
            }
        }
    }

    @Override
    public void linksChanged(BitSet ports, boolean up) {
        // The subnet knows.
    }

    @Override
    public void rateChanged(int port, int lanes, LinkSpeed speed) {
        // The subnet knows.
    }

    @Override
    public void rerouted(Routing routing) {
        // The subnet knows.
    }
}
