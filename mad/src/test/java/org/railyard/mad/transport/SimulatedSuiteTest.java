package org.railyard.mad.transport;

import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;

/** The suite over simulated agents, in virtual time. */
final class SimulatedSuiteTest extends MadTransportSuite {
    private static final long LIMIT = 60_000_000_000L;

    @Override
    protected MadFixture open() {
        Fabric fabric = SampleTorus.torus(3, 3, 1, 1).fabric();
        SimulatedSubnet subnet = new SimulatedSubnet(fabric, SimulationSettings.DEFAULT, new SplittableRandom(7));
        SimulatedPort port = subnet.attach(fabric.portIndex(fabric.switchCount(), 1));
        return new MadFixture() {
            @Override
            public Fabric fabric() {
                return fabric;
            }

            @Override
            public MadTransport transport() {
                return port;
            }

            @Override
            public boolean await(BooleanSupplier condition) {
                return subnet.loop().runUntil(condition, LIMIT);
            }

            @Override
            public void unlink(int cable) {
                subnet.unlink(cable);
            }

            @Override
            public void relink(int cable) {
                subnet.relink(cable);
            }

            @Override
            public void silence(int node, boolean silent) {
                subnet.silence(node, silent);
            }

            @Override
            public void close() {
                port.close();
            }
        };
    }
}
