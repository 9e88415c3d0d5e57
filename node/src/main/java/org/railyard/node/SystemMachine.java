package org.railyard.node;

import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.config.ni.Device;
import org.railyard.control.node.NodeEnvironment;
import org.railyard.control.node.O2ibs;
import org.railyard.doctor.HostFacts;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.node.facts.ArpTable;
import org.railyard.node.facts.OpenFiles;
import org.railyard.node.facts.SystemFacts;
import org.railyard.node.o2ib.DaemonCards;
import org.railyard.node.o2ib.IbvCards;
import org.railyard.node.o2ib.O2ibFigures;
import org.railyard.node.o2ib.RoceCards;
import org.railyard.node.selftest.SelftestService;
import org.railyard.socklnd.SockLndProvider;
import org.railyard.socklnd.link.InterfaceAddresses;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.tune.SourcePorts;

/** The machine that this process runs on. */
final class SystemMachine implements NodeEnvironment, AutoCloseable {
    private static final System.Logger LOG = System.getLogger("org.railyard.node");

    private final Map<String, String> parameters;
    private final Settings settings;
    private final SockLndConfig socklnd;
    private final DaemonCards cards;
    private final ScheduledExecutorService timer;
    private final SelftestService selftest;

    /**
     * Makes it.
     *
     * @param parameters module parameters by name: of LNet, {@code cpu_npartitions}, {@code cpu_pattern}, and of the
     *     transports
     * @param timer what calls at a time
     * @param selftest what lives while LNet runs
     * @throws ErrnoException EINVAL if there is no such parameter or it can not have that value
     */
    SystemMachine(
            Map<String, String> parameters,
            boolean anySourcePort,
            ScheduledExecutorService timer,
            SelftestService selftest) {
        this.selftest = selftest;
        this.parameters = new LinkedHashMap<>(parameters);
        this.timer = timer;
        this.settings = StartSettings.of(parameters);
        SockLndConfig.Builder builder = SockLndConfig.builder();
        parameters.forEach((name, value) -> {
            ParameterNames.check(name);
            if (ParameterNames.isOfSockets(name)) {
                builder.set(name, value);
            }
            if (ParameterNames.isWithoutEffect(name)) {
                LOG.log(System.Logger.Level.WARNING, "module parameter {0} has no effect on this node", name);
            }
        });
        if (anySourcePort) {
            builder.sourcePorts(SourcePorts.ANY);
        }
        this.socklnd = builder.build();
        this.cards = new DaemonCards(
                parameters,
                List.of(new RoceCards(parameters), IbvCards.byName(), IbvCards.automatic()),
                SystemMachine::prefixOf);
    }

    @Override
    public LNetConfig.Builder lnet() {
        return LNetConfig.builder()
                .settings(settings)
                .lnd(new SockLndProvider(socklnd))
                .lnd(cards.lnd())
                .cpus(
                        partitions(parameters.getOrDefault("cpu_npartitions", "0")),
                        parameters.getOrDefault("cpu_pattern", LNetConfig.DEFAULT_CPU_PATTERN));
    }

    @Override
    public void started(LNet lnet) {
        selftest.started(lnet);
    }

    @Override
    public void stopping() {
        selftest.stopping();
    }

    @Override
    public @Nullable O2ibs o2ibs() {
        return cards.transport();
    }

    /** Tells of the InfiniBand transport. */
    O2ibFigures figures() {
        return cards.figures();
    }

    @Override
    public void close() {
        cards.close();
    }

    private static int prefixOf(int ip) {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(device -> device.getInterfaceAddresses().stream())
                    .filter(each -> each.getAddress() instanceof Inet4Address
                            && ByteBuffer.wrap(each.getAddress().getAddress()).getInt() == ip)
                    .mapToInt(InterfaceAddress::getNetworkPrefixLength)
                    .findFirst()
                    .orElse(0);
        } catch (SocketException e) {
            // Then nobody knows.
            return 0;
        }
    }

    private static int partitions(String text) {
        try {
            return Integer.decode(text.strip());
        } catch (NumberFormatException e) {
            throw new ErrnoException(Errno.EINVAL, "cpu_npartitions is '" + text + "'; expected a number", e);
        }
    }

    @Override
    public List<Device> devices() {
        try {
            return NetworkInterface.networkInterfaces()
                    .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                    .map(SystemMachine::device)
                    .toList();
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<String> labels() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::subInterfaces)
                    .map(NetworkInterface::getName)
                    .toList();
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Device device(NetworkInterface device) {
        boolean up = false;
        boolean loopback = false;
        try {
            up = device.isUp();
            loopback = device.isLoopback();
        } catch (SocketException e) {
            // It went away while we looked: it is down.
            LOG.log(System.Logger.Level.DEBUG, "device {0} can not be read", device.getName());
        }
        List<InetAddress> addresses = InterfaceAddresses.of(device).toList();
        return new Device(device.getName(), up, loopback, addresses);
    }

    @Override
    public HostFacts facts() {
        return new SystemFacts(this::descriptors, cards::faults);
    }

    /** Returns what is known of the file descriptors, of which every connection needs one. */
    HostFacts.Descriptors descriptors() {
        return OpenFiles.look(socklnd.get(SockTunable.MAX_CONNECTIONS));
    }

    @Override
    public Map<String, String> parameters() {
        return parameters;
    }

    @Override
    public byte @Nullable [] addressOf(String hostName) {
        try {
            return InetAddress.getByName(hostName).getAddress();
        } catch (UnknownHostException e) {
            return null;
        }
    }

    @Override
    public boolean isUnanswered(byte[] address) {
        return ArpTable.isUnanswered(address);
    }

    @Override
    public Runnable callAfter(int seconds, Runnable task) {
        var scheduled = timer.schedule(task, seconds, TimeUnit.SECONDS);
        return () -> scheduled.cancel(false);
    }
}
