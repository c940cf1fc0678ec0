// Writes the 2D colliders of the open scene in navbake's level format, see docs/level-format.md.
// Copy this file to a folder "Editor" of the project: Tools > Export navbake level.
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using UnityEditor;
using UnityEngine;

static class NavbakeExport
{
    [MenuItem("Tools/Export navbake level")]
    static void Export()
    {
        var path = EditorUtility.SaveFilePanel("Export navbake level", "", "scene.level.json", "json");
        if (path == "") return;
        var shapes = new List<string>();
        foreach (var collider in Object.FindObjectsByType<Collider2D>(FindObjectsSortMode.InstanceID))
        {
            // A composite collider has the shapes of its parts.
            var kind = Kind(collider);
            var isPart = collider.composite != null && !(collider is CompositeCollider2D);
            if (kind == null || isPart) continue;
            var group = new PhysicsShapeGroup2D();
            var vertices = new List<Vector2>();
            for (var i = 0; i < collider.GetShapes(group); i++)
            {
                var shape = group.GetShape(i);
                group.GetShapeVertices(i, vertices);
                var points = vertices.Select(v => (Vector2)group.localToWorldMatrix.MultiplyPoint3x4(v)).ToList();
                shapes.Add(Outline(kind, collider.name, shape, points));
            }
        }
        var spawns = GameObject.FindGameObjectsWithTag("Respawn").Select(spawn =>
            $"{{\"class\": \"spawn\", \"name\": {Text(spawn.name)}, \"at\": {Point(spawn.transform.position)}}}");
        var grid = Object.FindAnyObjectByType<Grid>();
        var cell = grid == null ? 1 : grid.cellSize.x;
        File.WriteAllText(path, $"{{\"navbake_level\": 1, \"y_axis\": \"up\", \"pixels_per_unit\": {Number(16 / cell)}, " +
            $"\"cell_size\": {Number(cell)},\n\"shapes\": [\n{string.Join(",\n", shapes)}],\n\"markers\": [\n{string.Join(",\n", spawns)}]}}\n");
        Debug.Log($"{path}: {shapes.Count} shapes");
    }

    static string Kind(Collider2D collider)
    {
        if (collider.tag == "Hazard") return "hazard";
        if (collider.tag == "Ladder") return "ladder";
        if (collider.isTrigger || !collider.enabled) return null;
        // What moves is not part of the level.
        if (collider.attachedRigidbody != null && collider.attachedRigidbody.bodyType != RigidbodyType2D.Static) return null;
        var effector = collider.usedByEffector ? collider.GetComponent<PlatformEffector2D>() : null;
        return effector != null && effector.useOneWay ? "one_way" : "solid";
    }

    static string Outline(string kind, string name, PhysicsShape2D shape, List<Vector2> points)
    {
        var r = shape.radius;
        var (min, max) = (points.Aggregate(Vector2.Min), points.Aggregate(Vector2.Max));
        string outline;
        if (shape.shapeType == PhysicsShapeType2D.Circle || shape.shapeType == PhysicsShapeType2D.Capsule)
            outline = $"\"ellipse\": [{Number(min.x - r)}, {Number(min.y - r)}, {Number(max.x - min.x + 2 * r)}, {Number(max.y - min.y + 2 * r)}]";
        else
            outline = $"\"{(shape.shapeType == PhysicsShapeType2D.Edges ? "polyline" : "polygon")}\": [{string.Join(", ", points.Select(Point))}]";
        return $"{{\"kind\": \"{kind}\", \"name\": {Text(name)}, {outline}}}";
    }

    static string Point(Vector3 p) => Point((Vector2)p);
    static string Point(Vector2 p) => $"[{Number(p.x)}, {Number(p.y)}]";
    static string Number(float value) => value.ToString("R", CultureInfo.InvariantCulture);
    static string Text(string text) => "\"" + text.Replace("\\", "\\\\").Replace("\"", "\\\"") + "\"";
}
