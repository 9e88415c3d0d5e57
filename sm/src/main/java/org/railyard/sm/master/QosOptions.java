package org.railyard.sm.master;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.railyard.fabric.format.OpenSmConf;
import org.railyard.fabric.torus.qos.QosSettings;
import org.railyard.fabric.torus.qos.QosSetup;
import org.railyard.sm.conf.OpenSmOptions;
import org.railyard.sm.program.HighLimits;

/**
 * The {@code qos_*} settings of an {@code opensm.conf} that count, with {@code qos TRUE}: tables and limits of ports of
 * switches with a cable, of CAs and of routers. What a kind of port is not told it takes from the settings for all, and
 * what these do not tell is as it is without the file.
 */
final class QosOptions {
    private static final String ALL = "qos";
    private static final String SWITCHES = "qos_swe";
    private static final String CAS = "qos_ca";
    private static final String ROUTERS = "qos_rtr";
    private static final String HIGH = "_vlarb_high";
    private static final String LOW = "_vlarb_low";
    private static final String LIMIT = "_high_limit";
    private static final String SL_TO_VL = "_sl2vl";

    private final OpenSmOptions options;

    /** What counts, and nothing else. */
    private final OpenSmConf told;

    /**
     * Takes the settings of a file. Those that have no effect are not asked for, so that they are told as such.
     *
     * @param withSlToVl whether SL to VL tables can be told: some engines need their own
     */
    QosOptions(OpenSmOptions options, boolean withSlToVl) {
        this.options = options;
        TreeMap<String, OpenSmConf.Setting> some = new TreeMap<>();
        if (options.isOn(ALL)) {
            for (String what : withSlToVl ? List.of(HIGH, LOW, LIMIT, SL_TO_VL) : List.of(HIGH, LOW, LIMIT)) {
                for (String kind : List.of(SWITCHES, CAS, ROUTERS)) {
                    String name = options.isChanged(kind + what) ? kind + what : ALL + what;
                    options.changed(name).ifPresent(setting -> some.put(name, setting));
                }
            }
        }
        told = new OpenSmConf(some);
    }

    /**
     * Returns the tables if the file tells any.
     *
     * @param base what counts without the file
     * @throws org.railyard.fabric.format.FormatException if one can not be used; with its line
     */
    Optional<QosSettings> tables(QosSettings base) {
        if (told.settings().keySet().stream().allMatch(name -> name.endsWith(LIMIT))) {
            return Optional.empty();
        }
        QosSettings read = QosSetup.settings(told);
        return Optional.of(new QosSettings(
                ports(SWITCHES, read, base, QosSettings::switches),
                ports(CAS, read, base, QosSettings::cas),
                base.managementPorts(),
                ports(ROUTERS, read, base, QosSettings::routers)));
    }

    /** Remarks at the settings of the file what torus-2QoS can not keep its promises with in these tables. */
    void judge(QosSettings tables) {
        for (QosSettings.Finding finding : tables.findings()) {
            String name = finding.in(told);
            boolean isShared = !name.equals(finding.setting());
            options.remark(
                    name, "%s%s %s".formatted(name, isShared ? ", as " + finding.setting() + "," : "", finding.text()));
        }
    }

    private QosSettings.Ports ports(
            String kind, QosSettings read, QosSettings base, Function<QosSettings, QosSettings.Ports> of) {
        QosSettings.Ports file = of.apply(read);
        QosSettings.Ports usual = of.apply(base);
        return new QosSettings.Ports(
                usual.maxVls(),
                isTold(kind, HIGH) ? file.high() : usual.high(),
                isTold(kind, LOW) ? file.low() : usual.low(),
                isTold(kind, SL_TO_VL) ? file.slToVl() : usual.slToVl());
    }

    /**
     * Returns the limits of the high tables.
     *
     * @param base what counts without the file
     * @throws org.railyard.fabric.format.FormatException if one can not be used; with its line
     */
    HighLimits limits(HighLimits base) {
        return new HighLimits(
                isTold(SWITCHES, LIMIT) ? QosSetup.highLimit(told, SWITCHES) : base.switches(),
                isTold(CAS, LIMIT) ? QosSetup.highLimit(told, CAS) : base.cas(),
                isTold(ROUTERS, LIMIT) ? QosSetup.highLimit(told, ROUTERS) : base.routers());
    }

    private boolean isTold(String kind, String what) {
        return told.find(kind + what).isPresent() || told.find(ALL + what).isPresent();
    }
}
