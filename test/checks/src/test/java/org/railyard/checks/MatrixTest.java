package org.railyard.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.testkit.Requirement;

final class MatrixTest {
    private static Catalogue catalogue(String text) throws IOException {
        return Catalogue.read(new BufferedReader(new StringReader(text)));
    }

    private static MatrixRemarks remarks(String text) throws IOException {
        return MatrixRemarks.read(new BufferedReader(new StringReader(text)));
    }

    private static MatrixPage page(String catalogue, String remarks, Claim... claims) throws IOException {
        return new MatrixPage(catalogue(catalogue), remarks(remarks), List.of(claims));
    }

    private static Annotation requirement(String... ids) {
        AnnotationValue[] values = Stream.of(ids).map(AnnotationValue::ofString).toArray(AnnotationValue[]::new);
        return Annotation.of(
                Requirement.class.describeConstable().orElseThrow(),
                AnnotationElement.of("value", AnnotationValue.ofArray(values)));
    }

    private static Annotation condition() {
        return Annotation.of(EnabledIfSystemProperty.class.describeConstable().orElseThrow());
    }

    private static void method(ClassBuilder type, String name, Annotation... annotations) {
        type.withMethod(
                name,
                ConstantDescs.MTD_void,
                ClassFile.ACC_ABSTRACT,
                method -> method.with(RuntimeVisibleAnnotationsAttribute.of(annotations)));
    }

    /** The classes are made here: a real one would be found by the build and appear in the real matrix. */
    private static void compile(Path folder, String name, Consumer<ClassBuilder> content) throws IOException {
        Files.write(folder.resolve(name + ".class"), ClassFile.of().build(ClassDesc.of("p." + name), content));
    }

    @Test
    void findsClaimsOfClassesAndMethods(@TempDir Path folder) throws IOException {
        compile(folder, "OuterTest$Inner", type -> {
            type.with(RuntimeVisibleAnnotationsAttribute.of(requirement("x-010")));
            method(type, "both", requirement("x-005", "x-015"));
            method(type, "none");
        });
        assertThat(ClaimScanner.scan(folder))
                .containsExactlyInAnyOrder(
                        new Claim("x-010", "OuterTest.Inner", false),
                        new Claim("x-005", "OuterTest.Inner.both", false),
                        new Claim("x-015", "OuterTest.Inner.both", false));
    }

    @Test
    void knowsTestsThatABuildMayLeaveOut(@TempDir Path folder) throws IOException {
        compile(folder, "ATest", type -> {
            method(type, "long", condition(), requirement("x-005"));
            method(type, "always", requirement("x-005"));
        });
        compile(folder, "BTest", type -> {
            type.with(RuntimeVisibleAnnotationsAttribute.of(condition()));
            method(type, "any", requirement("x-010"));
        });
        assertThat(ClaimScanner.scan(folder))
                .containsExactlyInAnyOrder(
                        new Claim("x-005", "ATest.long", true),
                        new Claim("x-005", "ATest.always", false),
                        new Claim("x-010", "BTest.any", true));
    }

    @Test
    void writesTheSamePageWhateverTheOrderOfTheTests() throws IOException {
        Catalogue catalogue = catalogue("a-2\tSecond | first\na-1\tOther <x>\nb-1\tThird\n");
        List<Claim> claims =
                List.of(new Claim("a-2", "Z.z", false), new Claim("a-2", "A.a", false), new Claim("a-2", "A.a", false));
        String page = new MatrixPage(catalogue, remarks(""), claims).render();
        assertThat(page)
                .isEqualTo(new MatrixPage(catalogue, remarks(""), claims.reversed()).render())
                .containsSubsequence(
                        "| a | 2 | 1 | 0 | 1 |",
                        "| b | 1 | 0 | 0 | 1 |",
                        "| all | 3 | 1 | 0 | 2 |",
                        "| a-2 | Second \\| first | `A.a`, `Z.z` |",
                        "| a-1 | Other &lt;x> | open |");
    }

    @Test
    void saysWhereRailyardDiffersAndWhatATestThatIsLeftOutWouldShow() throws IOException {
        String page = page(
                        "a-1\tFirst\na-2\tSecond\na-3\tThird\n",
                        "a-1\tdiffers\tone | lock\na-2\topen\tno machine\n",
                        new Claim("a-2", "A.long", true),
                        new Claim("a-3", "A.long", true),
                        new Claim("a-3", "A.a", false))
                .render();
        assertThat(page)
                .containsSubsequence(
                        "| a | 3 | 1 | 1 | 1 |",
                        "| a-1 | First | *differs*: one \\| lock |",
                        "| a-2 | Second | open: no machine; not in every build: `A.long` |",
                        "| a-3 | Third | `A.a`; not in every build: `A.long` |");
    }

    @Test
    void namesTheTestOfAnUnknownRequirement() throws IOException {
        assertThat(page("a-1\tFirst\n", "", new Claim("a-1", "A.a", false), new Claim("a-9", "B.b", true))
                        .complaints())
                .singleElement()
                .asString()
                .contains("B.b", "a-9");
    }

    @Test
    void aRemarkNamesARequirementThatNoTestShows() throws IOException {
        assertThat(page(
                                "a-1\tFirst\na-2\tSecond\n",
                                "a-1\tdiffers\twhy\na-2\topen\twhy\na-3\topen\twhy\n",
                                new Claim("a-1", "A.a", false),
                                new Claim("a-2", "A.long", true))
                        .complaints())
                .satisfiesExactly(
                        line -> assertThat(line).contains("a-1", "A.a", "differs"),
                        line -> assertThat(line).contains("remarks.tsv", "a-3"));
    }

    @Test
    void refusesMalformedRemarks() {
        assertThatThrownBy(() -> remarks("a-1\tdiffers\n")).hasMessageContaining("line 1");
        assertThatThrownBy(() -> remarks("a-1\tperhaps\twhy\n")).hasMessageContaining("perhaps");
        assertThatThrownBy(() -> remarks("a-1\topen\twhy\na-1\topen\twhy\n")).hasMessageContaining("line 2", "twice");
    }

    @Test
    void refusesAMalformedCatalogue() {
        assertThatThrownBy(() -> catalogue("a-1 First\n")).hasMessageContaining("line 1");
        assertThatThrownBy(() -> catalogue("a-1\tFirst\na-1\tAgain\n")).hasMessageContaining("line 2", "twice");
    }

    @Test
    void readsTheCatalogueOfTheSpecification() throws IOException {
        assertThat(Catalogue.load().titles())
                .containsKeys(
                        "cfg-005", "snd-005", "dyn-005", "dbg-005", "hlt-005", "bck-005", "tst-005", "doc-005",
                        "mrx-001", "rsl-001", "cb-001", "mod-001", "t2q-001")
                .hasSizeGreaterThan(450);
    }

    @Test
    void writesAPageForATreeWithoutTests(@TempDir Path root) throws IOException {
        assertThat(RequirementMatrix.write(root)).isEmpty();
        assertThat(root.resolve("docs/requirements.md")).content().contains("| cfg-005 |", "open");
    }
}
