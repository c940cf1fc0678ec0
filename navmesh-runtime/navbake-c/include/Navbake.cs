/* Navbake.cs: the functions, structs and numbers of navbake.h for C#. Generated from the
   header, which documents them; do not edit.

   Handles are IntPtr, null is IntPtr.Zero. A struct that begins with its size is made by
   its method New. The size of the elements of a list, for instance step_size, is
   (UIntPtr)Marshal.SizeOf<NbStep>(). Errors become exceptions by Nb.Check. */
using System;
using System.Runtime.InteropServices;

namespace Navbake
{
    public enum NbResult : int
    {
        Ok = 0,
        ErrorArgument = 1,
        ErrorSize = 2,
        ErrorBuffer = 3,
        ErrorFile = 4,
        ErrorMesh = 5,
        ErrorUnknown = 6,
        ErrorTree = 7,
        ErrorBusy = 8,
        ErrorInternal = 9,
    }

    public enum NbActivity : uint
    {
        Unknown = 0,
        Idle = 1,
        Arrived = 2,
        NearestReached = 3,
        CannotReach = 4,
        Rejected = 5,
        Waiting = 6,
        Running = 7,
        Jumping = 8,
        Dropping = 9,
        Flying = 10,
        Climbing = 11,
        Launched = 12,
        InPortal = 13,
        Stranded = 14,
        Disabled = 15,
    }

    public enum NbReason : uint
    {
        None = 0,
        Unknown = 1,
        StartNotNavigable = 2,
        GoalNotNavigable = 3,
        StartClosed = 4,
        GoalClosed = 5,
        Disconnected = 6,
        Exhausted = 7,
        NothingBelow = 8,
        LeftLevel = 9,
        NoFreeVertex = 10,
        WrongLayer = 11,
        NotFinite = 12,
        Door = 13,
        Drift = 14,
        Level = 15,
        Limits = 16,
        Query = 17,
    }

    public enum NbEventKind : uint
    {
        Unknown = 0,
        Arrived = 1,
        Jumped = 2,
        Dropped = 3,
        TookOff = 4,
        Landed = 5,
        EnteredPortal = 6,
        Teleported = 7,
        CaughtInDoor = 8,
        PathLost = 9,
        CannotReach = 10,
        Stuck = 11,
        Stranded = 12,
        LinkStarted = 13,
        LinkFinished = 14,
        BlockedBy = 15,
        Thrown = 16,
    }

    public enum NbStepKind : uint
    {
        Unknown = 0,
        Floor = 1,
        Fly = 2,
        Jump = 3,
        Drop = 4,
        DropThrough = 5,
        Ladder = 6,
        WallClimb = 7,
        CeilingClimb = 8,
        Portal = 9,
        Spring = 10,
    }

    public enum NbMarkerKind : uint
    {
        Other = 0,
        Spawn = 1,
        Waypoint = 2,
        Portal = 3,
        Door = 4,
        Area = 5,
        NavArea = 6,
        Link = 7,
        Spring = 8,
    }

    public enum NbFound : uint
    {
        None = 0,
        Goal = 1,
        Nearest = 2,
    }

    public enum NbStatus : uint
    {
        Success = 1,
        Failure = 2,
        Running = 3,
    }

    public enum NbCall : uint
    {
        Begin = 1,
        Continue = 2,
        Abort = 3,
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct NbVec2
    {
        public float x;
        public float y;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct NbProfile
    {
        public uint size;
        public NbVec2 body;
        public float run_speed;
        public float acceleration;
        public float deceleration;
        public float jump_height;
        public float jump_speed;
        public float gravity;
        public float max_fall_speed;
        public float air_acceleration;
        public float climb_speed;
        public float down;
        public NbVec2 max_jump;
        public NbVec2 max_drop;
        public static NbProfile New() => new NbProfile { size = (uint)Marshal.SizeOf<NbProfile>() };
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct NbCostArea
    {
        public NbVec2 corner;
        public NbVec2 opposite;
        public float factor;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct NbFilter
    {
        public uint size;
        public uint forbidden;
        public int floor;
        public float caution;
        public IntPtr costs;
        public UIntPtr cost_count;
        public UIntPtr cost_size;
        public static NbFilter New() => new NbFilter { size = (uint)Marshal.SizeOf<NbFilter>() };
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct NbPose
    {
        public uint size;
        public uint activity;
        public uint reason;
        public int facing;
        public NbVec2 position;
        public NbVec2 velocity;
        public static NbPose New() => new NbPose { size = (uint)Marshal.SizeOf<NbPose>() };
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct NbBody
    {
        public uint size;
        public int grounded;
        public NbVec2 position;
        public NbVec2 velocity;
        public static NbBody New() => new NbBody { size = (uint)Marshal.SizeOf<NbBody>() };
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct NbCommand
    {
        public uint size;
        public uint jump;
        public NbVec2 velocity;
        public NbVec2 jump_velocity;
        public int exact;
        public static NbCommand New() => new NbCommand { size = (uint)Marshal.SizeOf<NbCommand>() };
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct NbEvent
    {
        public uint kind;
        public uint reason;
        public NbVec2 from;
        public NbVec2 to;
        public uint marker;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct NbStep
    {
        public uint kind;
        public float duration;
        public NbVec2 from;
        public NbVec2 to;
        public uint link;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct NbPlatform
    {
        public uint kind;
        public uint component;
        public NbVec2 left;
        public NbVec2 right;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct NbLink
    {
        public uint kind;
        public uint from_platform;
        public uint to_platform;
        public float duration;
        public float tolerance;
        public NbVec2 from;
        public NbVec2 to;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct NbMarker
    {
        public uint size;
        public uint kind;
        public NbVec2 min;
        public NbVec2 max;
        public NbVec2 feet;
        public static NbMarker New() => new NbMarker { size = (uint)Marshal.SizeOf<NbMarker>() };
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct NbQuery
    {
        public uint size;
        public int allow_partial_path;
        public NbVec2 from;
        public NbVec2 to;
        public IntPtr filter;
        public IntPtr profile;
        public static NbQuery New() => new NbQuery { size = (uint)Marshal.SizeOf<NbQuery>() };
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct NbPath
    {
        public uint size;
        public uint found;
        public uint reason;
        public float cost;
        public NbVec2 start;
        public NbVec2 end;
        public static NbPath New() => new NbPath { size = (uint)Marshal.SizeOf<NbPath>() };
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct NbTaskCall
    {
        public uint size;
        public uint call;
        public float seconds;
        public uint reserved;
        public IntPtr @params;
        public IntPtr user;
        public IntPtr agent;
        public IntPtr memory;
        public IntPtr state;
        public static NbTaskCall New() => new NbTaskCall { size = (uint)Marshal.SizeOf<NbTaskCall>() };
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct NbTick
    {
        public uint size;
        public float seconds;
        public uint sight_layer;
        public float eye_height;
        public int has_target;
        public NbVec2 target;
        public int facing;
        public int off_screen;
        public uint reserved;
        public NbVec2 target_body;
        public IntPtr agent;
        public IntPtr nav;
        public IntPtr user;
        public NbCueFn cue;
        public NbFaceFn face;
        public static NbTick New() => new NbTick { size = (uint)Marshal.SizeOf<NbTick>() };
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public delegate uint NbTaskFn(IntPtr user, ref NbTaskCall call);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public delegate uint NbCueFn(IntPtr user, [MarshalAs(UnmanagedType.LPUTF8Str)] string name, uint call);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public delegate void NbFaceFn(IntPtr user, NbVec2 position);

    public static class Nb
    {
#if UNITY_IOS && !UNITY_EDITOR
        const string Library = "__Internal"; // part of the program
#else
        const string Library = "navbake_c";
#endif

        public static void Check(NbResult result)
        {
            if (result != NbResult.Ok) throw new Exception(Marshal.PtrToStringUTF8(nb_error_message()));
        }

        public const uint NB_VERSION = 3;

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern uint nb_version();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr nb_runtime_version();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_new(IntPtr mesh, uint layer, NbVec2 position, out IntPtr agent);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void nb_agent_free(IntPtr agent);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_cancel(IntPtr agent, IntPtr nav);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_set_destination(IntPtr agent, NbVec2 destination);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_destination(IntPtr agent, out NbVec2 destination);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_stop(IntPtr agent);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_launch(IntPtr agent, NbVec2 velocity);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_stun(IntPtr agent);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_disable(IntPtr agent);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_enable(IntPtr agent);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_finish_link(IntPtr agent);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_teleport(IntPtr agent, NbVec2 position);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_set_allow_partial_path(IntPtr agent, int allow);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_set_break_cost(IntPtr agent, float seconds);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_set_avoidance(IntPtr agent, uint avoidance);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_set_tolerance(IntPtr agent, float tolerance);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_set_profile(IntPtr agent, ref NbProfile profile);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_set_filter(IntPtr agent, ref NbFilter filter);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_set_air_acceleration(IntPtr agent, float acceleration);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_step(IntPtr agent, IntPtr nav, float seconds, ref NbPose pose);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_drive(IntPtr agent, IntPtr nav, ref NbBody body, float seconds, ref NbCommand command);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_pose(IntPtr agent, ref NbPose pose);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_events(IntPtr agent, [Out] NbEvent[] events, UIntPtr capacity, UIntPtr event_size, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_agent_remaining_path(IntPtr agent, [Out] NbStep[] steps, UIntPtr capacity, UIntPtr step_size, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_state_set_position(IntPtr state, [MarshalAs(UnmanagedType.LPUTF8Str)] string key, NbVec2 position);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_state_position(IntPtr state, [MarshalAs(UnmanagedType.LPUTF8Str)] string key, out NbVec2 position);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_state_set_number(IntPtr state, [MarshalAs(UnmanagedType.LPUTF8Str)] string key, double number);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_state_number(IntPtr state, [MarshalAs(UnmanagedType.LPUTF8Str)] string key, out double number);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_state_set_text(IntPtr state, [MarshalAs(UnmanagedType.LPUTF8Str)] string key, [MarshalAs(UnmanagedType.LPUTF8Str)] string value);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_state_text(IntPtr state, [MarshalAs(UnmanagedType.LPUTF8Str)] string key, byte[] buffer, UIntPtr capacity, out UIntPtr length);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr nb_error_message();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_layer_platforms(IntPtr mesh, uint layer, [Out] NbPlatform[] platforms, UIntPtr capacity, UIntPtr platform_size, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_platform_points(IntPtr mesh, uint layer, uint platform, [Out] NbVec2[] points, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_layer_links(IntPtr mesh, uint layer, [Out] NbLink[] links, UIntPtr capacity, UIntPtr link_size, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_link_points(IntPtr mesh, uint layer, uint link, [Out] NbVec2[] points, UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_mesh_load(byte[] data, UIntPtr length, out IntPtr mesh);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_mesh_load_file([MarshalAs(UnmanagedType.LPUTF8Str)] string path, out IntPtr mesh);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void nb_mesh_free(IntPtr mesh);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern uint nb_mesh_layer_count(IntPtr mesh);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_mesh_layer(IntPtr mesh, [MarshalAs(UnmanagedType.LPUTF8Str)] string agent, out uint layer);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_layer_name(IntPtr mesh, uint layer, byte[] buffer, UIntPtr capacity, out UIntPtr length);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_layer_profile(IntPtr mesh, uint layer, ref NbProfile profile);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_layer_place(IntPtr mesh, uint layer, NbVec2 position, out NbVec2 place_at);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_layer_floor_ends(IntPtr mesh, uint layer, NbVec2 position, out NbVec2 left, out NbVec2 right);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_layer_index_routes(IntPtr mesh, uint layer);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern uint nb_mesh_marker_count(IntPtr mesh);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_mesh_marker(IntPtr mesh, uint number, ref NbMarker marker);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_marker_name(IntPtr mesh, uint number, byte[] buffer, UIntPtr capacity, out UIntPtr length);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_marker_class(IntPtr mesh, uint number, byte[] buffer, UIntPtr capacity, out UIntPtr length);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_marker_property(IntPtr mesh, uint number, [MarshalAs(UnmanagedType.LPUTF8Str)] string property, byte[] buffer, UIntPtr capacity, out UIntPtr length);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_nav_new(IntPtr mesh, out IntPtr nav);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void nb_nav_free(IntPtr nav);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_nav_set_mesh(IntPtr nav, IntPtr mesh);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_nav_set_budget(IntPtr nav, uint nodes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_nav_work(IntPtr nav, out uint answered);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_nav_set_door(IntPtr nav, [MarshalAs(UnmanagedType.LPUTF8Str)] string name, int closed);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_nav_is_door_closed(IntPtr nav, [MarshalAs(UnmanagedType.LPUTF8Str)] string name, out int is_closed);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_nav_close_region(IntPtr nav, NbVec2 corner, NbVec2 opposite);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_nav_open_region(IntPtr nav, NbVec2 corner, NbVec2 opposite);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_nav_remove(IntPtr nav, NbVec2 corner, NbVec2 opposite);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_nav_restore(IntPtr nav, NbVec2 corner, NbVec2 opposite);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_nav_find(IntPtr nav, uint layer, ref NbQuery query, ref NbPath path, [Out] NbStep[] steps, UIntPtr capacity, UIntPtr step_size, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_nav_index_routes(IntPtr nav, uint layer, ref NbQuery query, out UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_nav_line_of_sight(IntPtr nav, uint layer, NbVec2 from, NbVec2 to, out int is_free);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_tasks_new(out IntPtr tasks);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void nb_tasks_free(IntPtr tasks);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_tasks_add(IntPtr tasks, [MarshalAs(UnmanagedType.LPUTF8Str)] string name, NbTaskFn function, IntPtr user);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_tree_load(IntPtr tasks, byte[] data, UIntPtr length, out IntPtr tree);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void nb_tree_free(IntPtr tree);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_pools_new(IntPtr mesh, out IntPtr pools);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_pools_add_tokens(IntPtr pools, [MarshalAs(UnmanagedType.LPUTF8Str)] string name, uint limit);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void nb_pools_free(IntPtr pools);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_state_new(IntPtr tree, IntPtr pools, out IntPtr state);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void nb_state_free(IntPtr state);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_state_tick(IntPtr state, ref NbTick tick, out uint status);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_state_reset(IntPtr state, ref NbTick tick);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_state_migrate(IntPtr state, IntPtr tree, IntPtr pools, ref NbTick tick);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern NbResult nb_state_now(IntPtr state, out double seconds);
    }
}
