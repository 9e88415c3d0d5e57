package org.railyard.cli.fabric;

import java.nio.file.Path;
import java.util.function.Function;
import org.railyard.fabric.format.OpenSmConf;
import org.railyard.fabric.live.PlanDiff.PlannedArbitration;
import org.railyard.fabric.live.PortArbitration;
import org.railyard.fabric.sim.Arbitration;
import org.railyard.fabric.sim.SimSettings;
import org.railyard.fabric.torus.qos.QosSettings;
import org.railyard.fabric.torus.qos.QosSetup;
import org.railyard.fabric.torus.qos.VlArbTable;

/** VL arbitration as OpenSM's configuration file has it. */
final class ArbitrationFile {
    private ArbitrationFile() {}

    /**
     * Returns settings with the tables of a file: {@code qos_swe_*} for ports of switches, {@code qos_ca_*} for those
     * of hosts, {@code qos_*} for what is not told.
     *
     * @param torus whether tables of switch ports that lead to hosts are changed as torus-2QoS does (spec 30 §8)
     * @throws FabricInputException if the file cannot be read, or a value is none that OpenSM could read
     */
    static SimSettings read(Path file, boolean torus, SimSettings settings) {
        return parse(file, conf -> {
            QosSettings qos = QosSetup.settings(conf);
            int limit = QosSetup.highLimit(conf, "qos_swe");
            QosSettings.Ports switches = qos.switches();
            Arbitration between = new Arbitration(switches.high(), switches.low(), limit);
            Arbitration towards = torus
                    ? new Arbitration(
                            switches.high().facingEndNode(), switches.low().facingEndNode(), limit)
                    : between;
            Arbitration ends = new Arbitration(qos.cas().high(), qos.cas().low(), QosSetup.highLimit(conf, "qos_ca"));
            return settings.withArbitration(between, towards, ends);
        });
    }

    /**
     * Returns the tables of a file as they are planned for a running subnet.
     *
     * @param torus as for {@link #read}
     * @throws FabricInputException as {@link #read}
     */
    static PlannedArbitration planned(Path file, boolean torus) {
        return parse(file, conf -> {
            QosSettings qos = QosSetup.settings(conf);
            VlArbTable high = qos.switches().high();
            VlArbTable low = qos.switches().low();
            PortArbitration between = PortArbitration.of(high, low);
            return new PlannedArbitration(
                    between,
                    torus ? PortArbitration.of(high.facingEndNode(), low.facingEndNode()) : between,
                    PortArbitration.of(qos.cas().high(), qos.cas().low()));
        });
    }

    private static <T> T parse(Path file, Function<OpenSmConf, T> use) {
        return TextFile.parse(file, "OpenSM's configuration: a name and a value a line", text -> {
            OpenSmConf conf = OpenSmConf.parse(text);
            if (conf.settings().keySet().stream().noneMatch(name -> name.contains("_vlarb_"))) {
                throw new FabricInputException(file
                        + ": no setting such as qos_swe_vlarb_high or qos_vlarb_low; is it OpenSM's configuration?");
            }
            return use.apply(conf);
        });
    }
}
