import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.classfile.attribute.ModulePackagesAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ModuleDesc;
import java.lang.constant.PackageDesc;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;

/**
 * Makes real modules of the automatic ones in a folder, which jlink refuses: each gets a descriptor that exports all of
 * its packages and requires the modules whose packages its classes name. Classes stay as they are.
 */
final class Modules {
    private static final String BASE = "java.base";

    /** Owner of each package that a class may name: modules of the JDK and of the folder. */
    private final Map<String, String> owners = new TreeMap<>();

    private Modules(ModuleFinder folder) {
        for (ModuleFinder finder : List.of(ModuleFinder.ofSystem(), folder)) {
            for (ModuleReference each : finder.findAll()) {
                String owner = each.descriptor().name();
                each.descriptor().packages().forEach(name -> owners.put(name, owner));
            }
        }
    }

    /** Replaces the jars of automatic modules; returns the names of these modules. */
    static List<String> describe(Path jars) throws IOException {
        ModuleFinder folder = ModuleFinder.of(jars);
        List<ModuleReference> automatic = folder.findAll().stream()
                .filter(each -> each.descriptor().isAutomatic())
                .sorted(Comparator.comparing(ModuleReference::descriptor))
                .toList();
        Modules modules = new Modules(folder);
        for (ModuleReference each : automatic) {
            modules.describe(Path.of(each.location().orElseThrow()), each.descriptor());
        }
        return automatic.stream().map(each -> each.descriptor().name()).toList();
    }

    private void describe(Path jar, ModuleDescriptor module) throws IOException {
        if (!module.provides().isEmpty()) {
            throw new IOException(jar.getFileName() + " is no real module and provides services, which the descriptor"
                    + " that is made for it would not name; leave it out, or extend build/dist/Modules.java");
        }
        Map<String, byte[]> entries = new TreeMap<>();
        try (JarInputStream in = new JarInputStream(Files.newInputStream(jar))) {
            for (JarEntry entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
                if (!entry.isDirectory()) {
                    entries.put(entry.getName(), in.readAllBytes());
                }
            }
        }
        entries.put("module-info.class", descriptor(module, entries));
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Map.Entry<String, byte[]> each : entries.entrySet()) {
                out.putNextEntry(new JarEntry(each.getKey()));
                out.write(each.getValue());
            }
        }
    }

    private byte[] descriptor(ModuleDescriptor module, Map<String, byte[]> entries) {
        SortedSet<String> required = new TreeSet<>();
        entries.forEach((name, bytes) -> {
            if (name.endsWith(".class") && !name.startsWith("META-INF/")) {
                namedPackages(bytes).forEach(each -> required.add(owners.getOrDefault(each, BASE)));
            }
        });
        required.remove(module.name());
        required.remove(BASE);
        List<PackageDesc> packages =
                module.packages().stream().sorted().map(PackageDesc::of).toList();
        ModuleAttribute attribute = ModuleAttribute.of(ModuleDesc.of(module.name()), builder -> {
            module.rawVersion().ifPresent(builder::moduleVersion);
            builder.requires(ModuleDesc.of(BASE), List.of(AccessFlag.MANDATED), null);
            required.forEach(each -> builder.requires(ModuleDesc.of(each), List.of(), null));
            packages.forEach(each -> builder.exports(each, List.of()));
        });
        return ClassFile.of()
                .buildModule(attribute, builder -> builder.with(ModulePackagesAttribute.ofNames(packages)));
    }

    private static SortedSet<String> namedPackages(byte[] bytes) {
        SortedSet<String> packages = new TreeSet<>();
        ClassFile.of().parse(bytes).constantPool().forEach(entry -> {
            if (entry instanceof ClassEntry type) {
                String name = type.asInternalName();
                int dimensions = name.lastIndexOf('[') + 1;
                int start = dimensions == 0 ? 0 : dimensions + 1;
                int end = name.lastIndexOf('/');
                if (end > start) {
                    packages.add(name.substring(start, end).replace('/', '.'));
                }
            }
        });
        return packages;
    }
}
