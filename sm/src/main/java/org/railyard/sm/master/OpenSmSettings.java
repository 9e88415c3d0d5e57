package org.railyard.sm.master;

import java.util.List;
import java.util.Optional;
import org.railyard.fabric.format.OpenSmConf;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.qos.QosSettings;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.sm.SmSettings;
import org.railyard.sm.conf.ConfRemark;
import org.railyard.sm.conf.OpenSmOptions;
import org.railyard.sm.program.ManagementKey;
import org.railyard.sm.program.PartitionEnforcement;
import org.railyard.sm.program.PortPolicy;
import org.railyard.sm.role.RoleSettings;
import org.railyard.sm.sa.SaSettings;

/**
 * What of an {@code opensm.conf} a master here goes by. Only what differs from OpenSM's defaults counts: the rest is as
 * it is without the file, also where our defaults are others.
 */
public final class OpenSmSettings {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;

    /** Time between sweeps, ns, if that is 0 in the file: OpenSM then never sweeps by itself, here after a century. */
    public static final long NEVER = 100L * 365 * 24 * 3600 * SECOND;

    private final OpenSmOptions options;

    /** Takes the settings of a file. */
    public OpenSmSettings(OpenSmOptions options) {
        this.options = options;
    }

    /** Returns what of the file has no effect, as far as that is known by what has been asked for. */
    public List<ConfRemark> ignored() {
        return options.ignored();
    }

    private long number(String name, long otherwise) {
        return options.isChanged(name) ? options.number(name) : otherwise;
    }

    /** Returns a number of the file that may be more than can be here; what is more is remarked. */
    private int number(String name, int otherwise, int most) {
        return options.isChanged(name) ? (int) options.number(name, most) : otherwise;
    }

    /**
     * Returns settings of a subnet manager with those of the file.
     *
     * @param hasLmc the LMC was told otherwise, and stays
     * @throws org.railyard.fabric.format.FormatException if a QoS setting can not be used; with its line
     * @throws IllegalArgumentException if a value is out of range here
     */
    public SmSettings manager(SmSettings base, boolean hasLmc) {
        long sweep =
                options.isChanged("sweep_interval") ? options.number("sweep_interval") * SECOND : base.sweepNanos();
        int lmc = (int) number("lmc", base.lmc());
        boolean keep = base.keepLids() && !options.isOn("reassign_lids");
        QosOptions qos = new QosOptions(options, base.routing().engine().leavesSlToVl());
        Optional<QosSettings> tables = qos.tables(base.ports().qos());
        if (base.routing().engine() instanceof TorusEngine) {
            tables.ifPresent(qos::judge);
        }
        return new SmSettings(
                routing(base.routing(), tables),
                base.lidOrder(),
                hasLmc ? base.lmc() : lmc,
                keep,
                base.keys(),
                ports(base.ports(), tables, qos),
                requests(base.requests()),
                sweep == 0 ? NEVER : sweep,
                base.collectNanos(),
                role(base.role()),
                base.allowSlChange(),
                base.restartLinks(),
                base.keepTurnsBack());
    }

    private RoleSettings role(RoleSettings base) {
        long poll = options.isChanged("sminfo_polling_timeout")
                ? options.number("sminfo_polling_timeout") * MILLI
                : base.pollNanos();
        return new RoleSettings(
                (int) number("sm_priority", base.priority()),
                options.isChanged("sm_key") ? options.word("sm_key") : base.smKey(),
                poll,
                number("polling_retry_number", base.pollRetries(), RoleSettings.MAX_POLL_RETRIES));
    }

    private RoutingSettings routing(RoutingSettings base, Optional<QosSettings> qos) {
        EngineOptions engine = base.options();
        int maxOpVls = (int) number("max_op_vls", engine.maxOpVls());
        RoutingSettings changed = base.withOptions(new EngineOptions(maxOpVls, engine.qosLevels(), engine.groups()));
        return qos.map(changed::withQos).orElse(changed);
    }

    private PortPolicy ports(PortPolicy base, Optional<QosSettings> tables, QosOptions qos) {
        return new PortPolicy(
                prefix(base.gidPrefix()),
                (int) number("max_op_vls", base.maxOpVls()),
                (int) number("subnet_timeout", base.subnetTimeout()),
                (int) number("packet_life_time", base.lifeTime()),
                (int) number("head_of_queue_lifetime", base.hoqSwitch()),
                (int) number("leaf_head_of_queue_lifetime", base.hoqEnd()),
                tables.orElse(base.qos()),
                qos.limits(base.highLimits()),
                key(base.key()),
                enforcement(base.enforcement()));
    }

    private PartitionEnforcement enforcement(PartitionEnforcement base) {
        if (options.isOn("no_partition_enforcement")) {
            return PartitionEnforcement.OFF;
        }
        return options.isChanged("part_enforce")
                ? options.text("part_enforce").map(PartitionEnforcement::named).orElse(base)
                : base;
    }

    private ManagementKey key(ManagementKey base) {
        return new ManagementKey(
                options.isChanged("m_key") ? options.word("m_key") : base.key(),
                (int) number("m_key_protection_level", base.protect()),
                (int) number("m_key_lease_period", base.leaseSeconds()));
    }

    private long prefix(long otherwise) {
        return options.isChanged("subnet_prefix") ? options.word("subnet_prefix") : otherwise;
    }

    private RequestSettings requests(RequestSettings base) {
        long timeout = options.isChanged("transaction_timeout")
                ? options.number("transaction_timeout") * MILLI
                : base.timeoutNanos();
        int retries = number("transaction_retries", base.retries(), RequestSettings.MAX_RETRIES);
        int told = number("max_wire_smps", base.maxWindow(), RequestSettings.MAX_WINDOW);
        // OpenSM takes 0 for no limit.
        int window = told == 0 ? RequestSettings.MAX_WINDOW : told;
        return base.withTimeout(timeout, retries)
                .withWindow(Math.min(base.startWindow(), window), window, base.maxPerTarget());
    }

    /** Returns settings of subnet administration with those of the file. */
    public SaSettings administration(SaSettings base) {
        return new SaSettings(
                options.isChanged("sa_key") ? options.word("sa_key") : base.saKey(),
                prefix(base.subnetPrefix()),
                (int) number("subnet_timeout", base.packetLife()),
                base.groupSls(),
                base.partitions(),
                base.prefixRoutes(),
                base.qos(),
                base.limits());
    }

    /** Returns the subnet prefix with its place, if the file tells one. */
    public Optional<OpenSmConf.Setting> subnetPrefix() {
        return options.changed("subnet_prefix");
    }

    /** Returns the name of the partition file with its place, if the file tells one. */
    public Optional<OpenSmConf.Setting> partitionFile() {
        return file("partition_config_file");
    }

    /** Returns the name of the file of prefix routes with its place, if the file tells one. */
    public Optional<OpenSmConf.Setting> prefixRoutesFile() {
        return file("prefix_routes_file");
    }

    /** Returns the name of the QoS policy with its place, if the file tells one and QoS is on. */
    public Optional<OpenSmConf.Setting> qosPolicyFile() {
        return options.isOn("qos") ? file("qos_policy_file") : Optional.empty();
    }

    private Optional<OpenSmConf.Setting> file(String name) {
        return options.text(name).flatMap(_ -> options.changed(name));
    }
}
