package org.railyard.checks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Rule 1: the stack does no input or output, starts no threads, reads no clock and throws no dice. */
final class SansIoTest {
    private static final String[] SANS_IO = {
        "org.railyard.base..",
        "org.railyard.lnet..",
        "org.railyard.fabric..",
        "org.railyard.mad.layout..",
        "org.railyard.mad.wire..",
        "org.railyard.mad.smp..",
        "org.railyard.mad.sa..",
        "org.railyard.mad.text..",
        "org.railyard.mad.rmpp..",
        "org.railyard.mad.transport..",
        "org.railyard.mad.sim..",
        "org.railyard.sm..",
        "org.railyard.verbs..",
        "org.railyard.softverbs..",
        "org.railyard.o2iblnd.."
    };

    private static final JavaClasses PRODUCT = ProductClasses.all();

    /** Whatever may differ between two runs with the same seed, or comes from outside. */
    private static final Pattern FORBIDDEN_CALLS =
            Pattern.compile("java\\.lang\\.System\\.(nanoTime|currentTimeMillis|getenv|console|exit)"
                    + "|java\\.time\\.\\w+\\.now"
                    + "|java\\.time\\.Clock\\.(system|tick).*"
                    + "|java\\.lang\\.Math\\.random"
                    + "|java\\.lang\\.StrictMath\\.random"
                    + "|java\\.util\\.UUID\\.randomUUID"
                    + "|java\\.util\\.random\\.RandomGenerator(Factory)?\\.(getDefault|of|create)"
                    + "|java\\.util\\.(Random|SplittableRandom)\\.<init>"
                    + "|java\\.lang\\.Thread\\.(<init>|start|startVirtualThread|ofVirtual|ofPlatform|sleep)"
                    + "|java\\.util\\.Timer\\.<init>"
                    + "|java\\.util\\.concurrent\\.Executors\\..*"
                    + "|java\\.util\\.concurrent\\.CompletableFuture\\.\\w+Async"
                    + "|java\\.util\\.Collection\\.parallelStream"
                    + "|java\\.lang\\.Object\\.hashCode"
                    + "|java\\.lang\\.System\\.identityHashCode");

    /** Tables whose order of iteration depends on hash codes. */
    private static final Pattern HASH_TABLE_CALLS = Pattern.compile(
            "java\\.util\\.(HashMap|HashSet|IdentityHashMap|WeakHashMap|Hashtable)\\.(<init>|newHashMap|newHashSet)"
                    + "|java\\.util\\.concurrent\\.ConcurrentHashMap\\.newKeySet"
                    + "|java\\.util\\.stream\\.Collectors\\.(toSet|toUnmodifiableSet|toUnmodifiableMap)");

    private static DescribedPredicate<JavaCall<?>> calls(Pattern pattern, String description) {
        return DescribedPredicate.describe(
                description,
                call -> pattern.matcher(call.getTargetOwner().getName() + "."
                                + call.getTarget().getName())
                        .matches());
    }

    private static ArchRule noSocketAndNoFile(String... packages) {
        return noClasses()
                .that()
                .resideInAnyPackage(packages)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.nio.channels..", "java.nio.file..", "javax.net..", "java.net.http..", "jdk.net..")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.net\\.(.*Socket.*|URL.*|HttpURLConnection|NetworkInterface)")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.io\\.(File.*|RandomAccessFile|Console)");
    }

    private static ArchRule noForbiddenCall(String... packages) {
        return noClasses()
                .that()
                .resideInAnyPackage(packages)
                .should()
                .callCodeUnitWhere(calls(FORBIDDEN_CALLS, "a call that differs from run to run"));
    }

    private static ArchRule noForbiddenClass(String... packages) {
        return noClasses()
                .that()
                .resideInAnyPackage(packages)
                .should()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.util\\.concurrent\\.(ThreadLocalRandom|ForkJoin.*|ThreadPoolExecutor|Scheduled.*)"
                                + "|java\\.security\\.SecureRandom");
    }

    private static ArchRule noHashTable(String... packages) {
        return noClasses()
                .that()
                .resideInAnyPackage(packages)
                .should()
                .callCodeUnitWhere(calls(HASH_TABLE_CALLS, "the making of a hash table: use LinkedHashMap or TreeMap"));
    }

    @Test
    void theStackTouchesNoSocketAndNoFile() {
        noSocketAndNoFile(SANS_IO).check(PRODUCT);
    }

    @Test
    void theStackStartsNoThreadsReadsNoClockThrowsNoDice() {
        noForbiddenCall(SANS_IO).check(PRODUCT);
        noForbiddenClass(SANS_IO).check(PRODUCT);
    }

    @Test
    void theRulesSeeWhatTheyForbid() {
        String host = "org.railyard.host..";
        String here = SansIoTest.class.getPackageName();
        assertThat(noForbiddenCall(host).evaluate(PRODUCT).getFailureReport().getDetails())
                .anyMatch(line -> line.contains("System.nanoTime()"))
                .anyMatch(line -> line.contains("Instant.now()"))
                .anyMatch(line -> line.contains("Thread.ofPlatform()"));
        assertThat(noForbiddenClass(host).evaluate(PRODUCT).hasViolation()).isTrue();
        assertThat(noHashTable("org.railyard.decode..").evaluate(PRODUCT).hasViolation())
                .isTrue();
        JavaClasses tests = new ClassFileImporter().importPackages(here);
        assertThat(noSocketAndNoFile(here).evaluate(tests).hasViolation()).isTrue();
    }

    @Test
    void noOrderOfAHashTableLeaksIntoBehaviour() {
        noHashTable(SANS_IO).check(PRODUCT);
    }
}
